#include "core/supervise/rules/tensor_watcher.h"

#include <optional>
#include <span>

#include "core/supervise/rules/series_names.h"
#include "core/supervise/statistics/sketch.h"
#include "core/supervise/statistics/statistics.h"

namespace sightline::supervise {
namespace {

constexpr std::size_t kUnitWindowSteps = 10;
constexpr double kUnitActivity = 0.01;

bool has_no_gaps(const TensorView& tensor) {
  std::int64_t expected = 1;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.sizes[i];
  }
  return true;
}

UnitLayout layout_of(const TensorView& tensor) {
  UnitLayout layout{static_cast<std::size_t>(tensor.sizes[0]),
                    static_cast<std::size_t>(tensor.sizes[1]), 1};
  for (std::size_t i = 2; i < tensor.sizes.size(); ++i) {
    layout.positions *= static_cast<std::size_t>(tensor.sizes[i]);
  }
  return layout;
}

}  // namespace

TensorWatcher::TensorWatcher(const Thresholds& thresholds)
    : thresholds_(thresholds), watcher_(thresholds) {}

void TensorWatcher::add_figure(const TensorName& name, const char* statistic, std::uint64_t step,
                               double value) {
  const model::SeriesKey key{name.module, name.tensor, name.topic, statistic};
  const SeriesId series = watcher_.add_series(key, {next_order_++, {}, {}, 0});
  (void)watcher_.add(series, step, value);
}

void TensorWatcher::add(const TensorName& name, std::uint64_t step, const TensorView& tensor) {
  const bool gradient = name.topic == kGradients;
  // Quantiles cost as much again, and are asked for at the start only.
  const bool wants_spread = gradient && ended_steps_ < thresholds_.initial_steps;
  std::optional<Sketch> sketch;
  if (wants_spread) sketch.emplace();
  const Statistics figures = sketch ? statistics_of(tensor, *sketch) : statistics_of(tensor);
  add_figure(name, kNonFinite, step, static_cast<double>(figures.non_finite));
  add_figure(name, kL2, step, figures.l2());
  if (name.topic == kUpdates) return;  // one of zeros is told by its ratio to the weights
  add_figure(name, kZeroShare, step, figures.zero_share());
  if (name.topic == kActivations) add_figure(name, kVariance, step, figures.variance());
  if (gradient) add_figure(name, kAbsMean, step, figures.abs_mean());
  if (!sketch || figures.finite() < 2) return;  // the spread of one value is no spread
  add_figure(name, kSpread, step, *sketch->quantile(0.95) - *sketch->quantile(0.05));
}

void TensorWatcher::add_units(const TensorName& name, std::uint64_t step, const TensorView& tensor,
                              const char* statistic, ActiveRange active) {
  const bool readable = tensor.type == ElementType::Float32 && tensor.sizes.size() >= 2 &&
                        tensor.count() > 0 && has_no_gaps(tensor);
  if (!readable) return;
  const UnitLayout layout = layout_of(tensor);
  const model::SeriesKey key{name.module, name.tensor, name.topic, statistic};
  UnitWindow& window = units_.try_emplace(key, layout.units, kUnitWindowSteps).first->second;
  window.add({static_cast<const float*>(tensor.data), tensor.count()}, layout, active);
  add_figure(name, statistic, step, window.idle_share(kUnitActivity));
}

void TensorWatcher::add_number(const std::string& topic, std::uint64_t step, double value) {
  add_figure({"", "", topic}, "", step, value);
}

std::vector<Verdict> TensorWatcher::end_step(std::uint64_t step) {
  ++ended_steps_;
  return watcher_.end_step(step);
}

}  // namespace sightline::supervise
