// What `sightline profile` does: a recording of as many steps as a stable mean needs, then steps at
// other batch sizes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/model/step.h"
#include "worker/analysis.h"
#include "worker/failure.h"

namespace sightline::worker {

struct ProfileRequest {
  AnalysisRequest analysis;
  bool throughput = true;    // whether other batch sizes are measured
  std::string sampling_run;  // a run file for that, of no use afterwards
};

// Records into the request's run and returns what was measured at several batch sizes.
// `interrupted` is a descriptor that ends it when it can be read from.
Outcome<std::vector<model::BatchSample>> profile(const std::filesystem::path& python,
                                                 const ProfileRequest& request, int interrupted,
                                                 const OnProgress& on_progress);

}  // namespace sightline::worker
