#include "core/supervise/feed/tensor_series.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/supervise/statistics/histogram.h"
#include "core/supervise/statistics/parallel.h"
#include "core/supervise/statistics/sketch.h"

namespace sightline::supervise {
namespace {

constexpr std::size_t kUnitWindowSteps = 10;
constexpr double kUnitActivity = 0.01;

// Of what comes out, in single precision: tanh is 1 beyond its flat end, sigmoid 1 or nearly 0.
constexpr ActiveRange kTanhOutput = {-1.0F, 1.0F};
constexpr ActiveRange kSigmoidOutput = {1.0262e-10F, 1.0F};

using Read = double (*)(const Statistics&);
constexpr std::pair<const char*, Read> kReadFigures[] = {
    {"mean", [](const Statistics& of) { return of.mean; }},
    {kVariance, [](const Statistics& of) { return of.variance(); }},
    {"l1", [](const Statistics& of) { return of.l1; }},
    {kL2, [](const Statistics& of) { return of.l2(); }},
    {"min", [](const Statistics& of) { return of.min; }},
    {"max", [](const Statistics& of) { return of.max; }},
    {"absmax", [](const Statistics& of) { return of.absmax(); }},
    {kAbsMean, [](const Statistics& of) { return of.abs_mean(); }},
    {kZeroShare, [](const Statistics& of) { return of.zero_share(); }},
    {kNonFinite, [](const Statistics& of) { return static_cast<double>(of.non_finite); }},
};

bool same_bits(const Statistics& a, const Statistics& b) {
  return a.count == b.count && a.zeros == b.zeros && a.non_finite == b.non_finite &&
         a.mean == b.mean && a.min == b.min && a.max == b.max && a.l1 == b.l1 &&
         a.squared_deviations == b.squared_deviations;
}

model::TensorHistogram histogram_of(const Sketch& sketch, std::uint64_t step) {
  model::TensorHistogram histogram;
  histogram.step = step;
  for (const HistogramBin& bin : LinearHistogram(sketch).bins()) {
    if (histogram.edges.empty()) histogram.edges.push_back(bin.lower);
    histogram.edges.push_back(bin.upper);
    histogram.counts.push_back(bin.count);
  }
  return histogram;
}

}  // namespace

TensorSeries::TensorSeries(Supervision& supervision, TensorKey key, model::SeriesOrigin origin,
                           const std::set<std::string>& figures, UnitKind units)
    : units_(units),
      may_change_(key.topic == kWeights),
      supervision_(supervision),
      key_(std::move(key)),
      origin_(std::move(origin)) {
  for (const auto& [name, read] : kReadFigures) {
    if (!figures.empty() && !figures.contains(name)) continue;
    figures_.push_back({read, name != kNonFinite, supervision_.series(key_of(name), origin_)});
  }
}

model::SeriesKey TensorSeries::key_of(const char* statistic) const {
  return {key_.module, key_.tensor, key_.topic, statistic};
}

std::optional<ActiveRange> TensorSeries::active_range() const {
  switch (units_) {
    case UnitKind::None:
      return std::nullopt;
    case UnitKind::Relu:
      return ActiveRange{};
    case UnitKind::Tanh:
      return kTanhOutput;
    case UnitKind::Sigmoid:
      return kSigmoidOutput;
  }
  return std::nullopt;
}

// `sketch` may be null, and is if there is no view.
Statistics TensorSeries::statistics_of(const TensorNumbers& numbers, Wanted wanted,
                                       Sketch* sketch) const {
  if (numbers.made != nullptr) return numbers.made->statistics;
  if (numbers.difference) return statistics_in_parts(*numbers.difference);
  if (sketch != nullptr) return supervise::statistics_of(*numbers.view, *sketch);
  if (!numbers.floats.empty()) return norm_statistics_of(numbers.floats);
  if (wanted.norms_only) return norm_statistics_of(*numbers.view);
  return statistics_in_parts(*numbers.view);
}

const Statistics& TensorSeries::add(std::uint64_t step, const TensorNumbers& numbers, Wanted wanted,
                                    Told& told) {
  std::optional<Sketch> sketch;
  if (wanted.distribution()) sketch.emplace();
  Sketch* const filled = sketch ? &*sketch : nullptr;
  const Statistics figures =
      numbers.sampled_from > 0
          ? statistics_of(numbers, wanted, filled).of_whole(numbers.sampled_from)
          : statistics_of(numbers, wanted, filled);
  if (step_ == step) {
    current_.merge(figures);
  } else {
    if (step_ && may_change_) last_ = current_;
    current_ = figures;
    step_ = step;
  }
  tell_figures(told);
  if (wanted.spread && figures.finite() >= 2) {  // the spread of one value is no spread
    tell(spread_, kSpread, *sketch->quantile(0.95) - *sketch->quantile(0.05), told);
  }
  if (wanted.histogram) {
    supervision_.add_histogram(key_of("histogram"), origin_, histogram_of(*sketch, step));
  }
  if (units_ != UnitKind::None) add_units(numbers, told);
  // A parameter of which ten figures are the same to the last bit is the same: no copy is needed.
  if (wanted.change && last_) tell(changed_, kChanged, same_bits(*last_, current_) ? 0 : 1, told);
  return current_;
}

bool TensorSeries::add_norm(std::uint64_t step, std::span<const float> floats, Told& told) {
  if (step_ == step || may_change_ || units_ != UnitKind::None) return false;
  const double squares = square_sum_of(floats);
  if (!std::isfinite(squares)) return false;
  step_ = step;
  current_ = norm_statistics(floats.size(), squares);
  const double norm = std::sqrt(squares);
  constexpr double kNonFinites = 0;
  for (const FigureSeries& figure : figures_) {
    told.push_back({figure.series, figure.of_finite ? norm : kNonFinites});
  }
  return true;
}

void TensorSeries::tell_figures(Told& told) const {
  for (const FigureSeries& figure : figures_) {
    if (figure.of_finite && current_.finite() == 0) continue;
    const double value = figure.read(current_);
    if (!std::isnan(value)) told.push_back({figure.series, value});
  }
}

void TensorSeries::tell(OptionalSeries& series, const char* statistic, double value, Told& told) {
  if (!series) series = supervision_.series(key_of(statistic), origin_);
  told.push_back({*series, value});
}

void TensorSeries::add_units(const TensorNumbers& numbers, Told& told) {
  const UnitActivity activity =
      numbers.made != nullptr ? numbers.made->units : unit_activity(*numbers.view, *active_range());
  if (activity.active.empty()) return;
  if (!window_) window_.emplace(activity.active.size(), kUnitWindowSteps);
  window_->add(activity);
  tell(idle_, units_ == UnitKind::Relu ? kIdleShare : kSaturatedShare,
       window_->idle_share(kUnitActivity), told);
}

}  // namespace sightline::supervise
