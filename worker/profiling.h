// What `sightline profile` does: a recording of as many steps as a stable mean needs, then steps at
// other batch sizes.
#pragma once

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

enum class ProfilePart { Loading, Measuring, Sampling };

// What came of steps at several batch sizes.
struct BatchSamples {
  std::vector<model::BatchSample> measured;
  std::vector<model::BatchFailure> failed;

  bool empty() const { return measured.empty() && failed.empty(); }
};

// Is told how far it is, on the thread that profiles.
class ProfileListener {
 public:
  virtual ~ProfileListener() = default;
  // `what` is one line for people who wait.
  virtual void progress(ProfilePart part, const std::string& what) = 0;
  // The run file is whole, but for other batch sizes.
  virtual void recorded() {}
  // What was measured at several batch sizes by now.
  virtual void sampled(const BatchSamples&) {}
};

// Records into the request's run and returns what was measured at several batch sizes. The worker
// has said hello. If it fails, the analysis may still run: the worker is to end it.
Outcome<BatchSamples> profile(WorkerProcess& worker, const ProfileRequest& request,
                              ProfileListener& listener);

}  // namespace sightline::worker
