// What is known of one metric of one model, as a table shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sightline::measure {

// `value` is what was computed, on a scale that is the metric's own; `shown` is the same on the
// scale that reads best, in the metric's unit. A metric that does not scale has them equal.
struct Number {
  double value = 0;
  double shown = 0;
};

struct Reading {
  std::string unit;
  std::optional<Number> number;  // absent: not computed, or not a number
  std::string text;              // of what is not a number; empty: not computed
};

struct MetricRow {
  std::string key;
  std::string label;
  std::string description;
  std::string comparative;  // the name of one, see comparison.h
  Reading reading;
};

struct ModelStatus {
  std::string name;
  std::string backend;
  std::vector<MetricRow> rows;  // in the order in which they are shown
};

}  // namespace sightline::measure
