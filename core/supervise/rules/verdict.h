// What a rule says about a training.
#pragma once

#include "core/model/verdict.h"

namespace sightline::supervise {

using model::Verdict;

}  // namespace sightline::supervise
