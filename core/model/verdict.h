// What a rule says about a training.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/model/series.h"
#include "core/model/severity.h"

namespace sightline::model {

struct Verdict {
  std::string rule;  // "vanishing-gradient": stable, for machines
  Severity severity = Severity::Warning;
  std::uint64_t step = 0;  // the first of which it was true
  std::string module;      // empty: of the whole training
  std::string tensor;      // name of a parameter; empty: what the module gives out
  std::string topic;       // "gradients", "loss", ...
  SeriesOrigin origin;
  // Figures that the rule went by, its thresholds among them.
  std::vector<std::pair<std::string, double>> evidence;
  std::string cause;   // a sentence: what is likely behind it
  std::string advice;  // a sentence or two: what to try
};

}  // namespace sightline::model
