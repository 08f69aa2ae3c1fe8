// What `sightline profile` does: a recording of as many steps as a stable mean needs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "worker/analysis.h"
#include "worker/failure.h"

namespace sightline::worker {

using OnProgress = std::function<void(const std::string& what)>;

// Records into request.run. `interrupted` is a descriptor that ends it when it can be read from.
std::optional<Failure> profile(const std::filesystem::path& python, const AnalysisRequest& request,
                               int interrupted, const OnProgress& on_progress);

}  // namespace sightline::worker
