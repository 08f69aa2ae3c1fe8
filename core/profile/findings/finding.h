// Something about a run that its owner can act upon.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/model/severity.h"

namespace sightline::profile {

using model::name_of;
using model::Severity;

struct Finding {
  std::string rule;  // "data-wait": stable, for machines
  Severity severity = Severity::Info;
  std::string title;       // one sentence, without a full stop
  std::string file;        // empty if it has no line
  std::uint32_t line = 0;  // of that file
  // Figures that the rule went by, named with their units. `gain_percent`: by how much a step would
  // be shorter at best.
  std::vector<std::pair<std::string, double>> evidence;
  std::string advice;  // one or two sentences
};

}  // namespace sightline::profile
