#include "core/supervise/feed/tensor_series.h"

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

// Samples, units, positions. Of three dimensions the last is that of features: a layer applied to
// every element of a sequence; of two, four and five it is the second, as for images.
UnitLayout layout_of(const TensorView& tensor) {
  UnitLayout layout{1, 1, 1};
  const std::size_t dimensions = tensor.sizes.size();
  const std::size_t units = dimensions == 3 ? 2 : 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const auto size = static_cast<std::size_t>(tensor.sizes[i]);
    if (i == units) {
      layout.units = size;
    } else if (i < units) {
      layout.samples *= size;
    } else {
      layout.positions *= size;
    }
  }
  return layout;
}

ActiveRange range_of(UnitKind kind) {
  if (kind == UnitKind::Tanh) return kTanhOutput;
  return kind == UnitKind::Sigmoid ? kSigmoidOutput : ActiveRange{};
}

bool same_bits(const Statistics& a, const Statistics& b) {
  return a.count == b.count && a.zeros == b.zeros && a.non_finite == b.non_finite &&
         a.mean == b.mean && a.min == b.min && a.max == b.max && a.l1 == b.l1 &&
         a.squared_deviations == b.squared_deviations;
}

// `sketch` may be null, and is if there is a difference.
Statistics statistics_of(const TensorNumbers& numbers, Sketch* sketch) {
  Statistics figures;
  if (numbers.difference) {
    figures = statistics_in_parts(*numbers.difference);
  } else if (sketch != nullptr) {
    figures = supervise::statistics_of(*numbers.view, *sketch);
  } else {
    figures = statistics_in_parts(*numbers.view);
  }
  return numbers.sampled_from > 0 ? figures.of_whole(numbers.sampled_from) : figures;
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
    : supervision_(supervision), key_(std::move(key)), origin_(std::move(origin)), units_(units) {
  for (std::size_t i = 0; i < kFigures; ++i) {
    const char* name = kReadFigures[i].first;
    if (!figures.empty() && !figures.contains(name)) continue;
    series_[i] = supervision_.series(key_of(name), origin_);
  }
}

model::SeriesKey TensorSeries::key_of(const char* statistic) const {
  return {key_.module, key_.tensor, key_.topic, statistic};
}

const Statistics& TensorSeries::add(std::uint64_t step, std::uint64_t epoch,
                                    const TensorNumbers& numbers, Wanted wanted) {
  std::optional<Sketch> sketch;
  if (wanted.distribution()) sketch.emplace();
  Statistics figures = statistics_of(numbers, sketch ? &*sketch : nullptr);
  if (step_ == step) {
    current_.merge(figures);
  } else {
    if (step_) last_ = current_;
    current_ = figures;
    step_ = step;
  }
  tell_figures(step, epoch);
  if (wanted.spread && figures.finite() >= 2) {  // the spread of one value is no spread
    tell_one(kSpread, step, epoch, *sketch->quantile(0.95) - *sketch->quantile(0.05));
  }
  if (wanted.histogram) {
    supervision_.add_histogram(key_of("histogram"), origin_, histogram_of(*sketch, step));
  }
  if (units_ != UnitKind::None) add_units(step, epoch, *numbers.view);
  if (wanted.change) add_change(step, epoch);
  return current_;
}

void TensorSeries::tell_figures(std::uint64_t step, std::uint64_t epoch) {
  told_.clear();
  for (std::size_t i = 0; i < kFigures; ++i) {
    if (!series_[i]) continue;
    // Of a tensor without a finite element there is nothing to tell but that.
    if (current_.finite() == 0 && kReadFigures[i].first != kNonFinite) continue;
    const double value = kReadFigures[i].second(current_);
    if (!std::isnan(value)) told_.push_back({*series_[i], value});
  }
  supervision_.add(told_, step, epoch);
}

void TensorSeries::tell_one(const char* statistic, std::uint64_t step, std::uint64_t epoch,
                            double value) {
  supervision_.add(key_of(statistic), origin_, step, epoch, value);
}

void TensorSeries::add_units(std::uint64_t step, std::uint64_t epoch, const TensorView& view) {
  const bool readable = view.type == ElementType::Float32 && view.sizes.size() >= 2 &&
                        view.count() > 0 && view.contiguous();
  if (!readable) return;
  const UnitLayout layout = layout_of(view);
  if (!window_) window_.emplace(layout.units, kUnitWindowSteps);
  window_->add({static_cast<const float*>(view.data), view.count()}, layout, range_of(units_));
  tell_one(units_ == UnitKind::Relu ? kIdleShare : kSaturatedShare, step, epoch,
           window_->idle_share(kUnitActivity));
}

// A parameter of which ten figures are the same to the last bit is the same: no copy is needed.
void TensorSeries::add_change(std::uint64_t step, std::uint64_t epoch) {
  if (last_) tell_one(kChanged, step, epoch, same_bits(*last_, current_) ? 0 : 1);
}

}  // namespace sightline::supervise
