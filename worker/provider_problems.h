// What can be wrong with the providers of an entry point, and how each is mended.
#pragma once

#include <nlohmann/json.hpp>

#include "worker/failure.h"

namespace sightline::worker {

// Fills in what and remedy; false if the facts are about something else.
bool describe_provider_problem(const nlohmann::json& facts, Failure& failure);

}  // namespace sightline::worker
