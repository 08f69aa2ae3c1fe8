// Makes of the tensors of a step the series that the rules read, and asks the rules. Each figure is
// computed only where a rule looks at it. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/supervise/metrics/unit_window.h"
#include "core/supervise/rules/thresholds.h"
#include "core/supervise/rules/verdict.h"
#include "core/supervise/rules/watcher.h"
#include "core/supervise/statistics/tensor_view.h"

namespace sightline::supervise {

// Whose tensor it is. A tensor's place in the order of a step is that of its first coming.
struct TensorName {
  std::string module;
  std::string tensor;
  std::string topic;
};

class TensorWatcher {
 public:
  SIGHTLINE_API explicit TensorWatcher(const Thresholds& thresholds = {});

  SIGHTLINE_API void add(const TensorName& name, std::uint64_t step, const TensorView& tensor);

  // The output of a ReLU, or what goes into a tanh or a sigmoid: the second dimension is that of
  // units. Ignored unless it is float32 without gaps and has two dimensions or more.
  SIGHTLINE_API void add_units(const TensorName& name, std::uint64_t step, const TensorView& tensor,
                               const char* statistic, ActiveRange active);

  // A figure of the whole training: loss, step time, memory.
  SIGHTLINE_API void add_number(const std::string& topic, std::uint64_t step, double value);

  SIGHTLINE_API std::vector<Verdict> end_step(std::uint64_t step);

 private:
  void add_figure(const TensorName& name, const char* statistic, std::uint64_t step, double value);

  Thresholds thresholds_;
  Watcher watcher_;
  std::uint64_t next_order_ = 0;
  std::uint64_t ended_steps_ = 0;
  std::map<model::SeriesKey, UnitWindow> units_;
};

}  // namespace sightline::supervise
