// What can be wrong with a model that is to be measured, and how each is mended.
#pragma once

#include <nlohmann/json.hpp>

#include "worker/failure.h"

namespace sightline::worker {

// Fills in what and remedy; false if the facts are about something else.
bool describe_factory_problem(const nlohmann::json& facts, Failure& failure);

// What to try if a model cannot be called with the inputs that the command line gave; empty if it
// gave none.
std::string remedy_for_inputs(const nlohmann::json& facts);

}  // namespace sightline::worker
