// One figure over the steps of a training: of a tensor, of a module, or of the whole.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace sightline::model {

struct SeriesKey {
  std::string module;     // path of the module; empty: of the whole training
  std::string tensor;     // name of a parameter in it; empty: what the module gives out
  std::string topic;      // "gradients", "loss", ...
  std::string statistic;  // "l2", "mean", ...; empty where the topic is one number

  friend bool operator==(const SeriesKey&, const SeriesKey&) = default;
  friend bool operator<(const SeriesKey& a, const SeriesKey& b) {
    return std::tie(a.module, a.tensor, a.topic, a.statistic) <
           std::tie(b.module, b.tensor, b.topic, b.statistic);
  }
};

struct SeriesPoint {
  std::uint64_t step = 0;
  double value = 0;
};

// Where the figures of a series come from.
struct SeriesOrigin {
  std::uint64_t order = 0;  // of its tensor among those that a step makes
  std::string operator_name;
  std::string file;
  std::uint32_t line = 0;
};

struct Series {
  SeriesKey key;
  SeriesOrigin origin;
  std::vector<SeriesPoint> points;  // by step
};

}  // namespace sightline::model
