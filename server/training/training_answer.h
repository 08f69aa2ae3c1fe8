// The answers to who asks for a supervised training: `api/training`, `api/series`, `api/heat` and
// `api/histograms`.
#pragma once

#include <filesystem>

#include "server/http/service.h"

namespace sightline::server {

bool is_about_training(const Request& request);

// Reads the run file. An empty path is a run that there is not.
Response training_answer(const std::filesystem::path& run, const Request& request);

}  // namespace sightline::server
