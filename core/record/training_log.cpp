#include "core/record/training_log.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace sightline::record {
namespace {

using model::SeriesId;

// Adds to the square of a norm over all tensors.
void add_square(std::optional<double>& sum, double norm) { sum = sum.value_or(0) + norm * norm; }

void take_root(std::optional<double>& sum) {
  if (sum && std::isfinite(*sum)) {
    sum = std::sqrt(*sum);
  } else {
    sum.reset();
  }
}

// "weight_gradients" is one of "gradients".
bool is_topic(std::string_view topic, std::string_view kind) {
  return topic == kind ||
         (topic.size() > kind.size() && topic.ends_with(kind) &&
          topic[topic.size() - kind.size() - 1] == '_' && !topic.starts_with("layer_"));
}

}  // namespace

TrainingLog::Part TrainingLog::part_of(const model::SeriesKey& key) {
  if (key.topic == "loss" && key.module.empty() && key.statistic.empty()) return Part::Loss;
  if (key.statistic != "l2") return Part::Other;
  if (is_topic(key.topic, "gradients")) return Part::GradientNorm;
  if (is_topic(key.topic, "updates")) return Part::UpdateNorm;
  const bool weight = key.topic == "weights" || key.topic == "biases" || key.topic == "parameters";
  return weight ? Part::WeightNorm : Part::Other;
}

void TrainingLog::add_to_summary(Part part, double value, model::TrainingStep& summary) {
  ++summary.figures;
  if (!std::isfinite(value)) ++summary.non_finite;
  switch (part) {
    case Part::Other:
      return;
    case Part::Loss:
      if (std::isfinite(value)) summary.loss = value;
      return;
    case Part::GradientNorm:
      return add_square(summary.gradient_l2, value);
    case Part::UpdateNorm:
      return add_square(summary.update_l2, value);
    case Part::WeightNorm:
      return add_square(summary.weight_l2, value);
  }
}

TrainingLog::SourceId TrainingLog::add_source() {
  const std::lock_guard lock(mutex_);
  sources_.emplace_back();
  return sources_.size() - 1;
}

SeriesId TrainingLog::series(const model::SeriesKey& key, const model::SeriesOrigin& origin) {
  const std::lock_guard lock(mutex_);
  const auto [known, added] = ids_.try_emplace(key, static_cast<SeriesId>(parts_.size() + 1));
  if (added) {
    parts_.push_back(part_of(key));
    delta_.series.push_back({known->second, key, origin});
  }
  return known->second;
}

bool TrainingLog::add(SourceId source, SeriesId series, std::uint64_t step, std::uint64_t epoch,
                      double value) {
  const model::Figure figure{series, value};
  return add(source, {&figure, 1}, step, epoch);
}

bool TrainingLog::add(SourceId source, std::span<const model::Figure> figures, std::uint64_t step,
                      std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  if (step < sources_[source].first_open || figures.empty()) {
    dropped_ += figures.size();
    return false;
  }
  newest_epoch_ = std::max(newest_epoch_, epoch);
  OpenStep& open = sources_[source].open[step];
  open.counts_epochs = epoch > 0;
  open.epoch = open.counts_epochs ? epoch : newest_epoch_;
  open.values.resize(parts_.size());
  bool added = true;
  for (const model::Figure& figure : figures) added = add_one(open, figure) && added;
  return added;
}

bool TrainingLog::add_one(OpenStep& open, model::Figure figure) {
  if (figure.series == model::kNone || figure.series > parts_.size()) return false;
  if (kept_points_ >= kMostPoints) {
    ++dropped_;
    return false;
  }
  std::optional<double>& value = open.values[figure.series - 1];
  if (!value) {
    ++kept_points_;
    ++open.told;
  }
  value = figure.value;
  return true;
}

bool TrainingLog::add_histogram(SourceId source, model::TensorHistogram histogram) {
  const std::lock_guard lock(mutex_);
  const SeriesId series = histogram.series;
  if (series == model::kNone || series > parts_.size()) return false;
  if (histogram.step < sources_[source].first_open || kept_points_ >= kMostPoints) {
    ++dropped_;
    return false;
  }
  kept_points_ += histogram.edges.size();
  OpenStep& open = sources_[source].open[histogram.step];
  open.histograms.insert_or_assign(series, std::move(histogram));
  return true;
}

void TrainingLog::add_verdict(model::Verdict verdict) {
  const std::lock_guard lock(mutex_);
  delta_.verdicts.push_back(std::move(verdict));
}

void TrainingLog::end_step(SourceId source, std::uint64_t step) {
  const std::lock_guard lock(mutex_);
  close_before(sources_[source], step + 1);
}

void TrainingLog::close_before(Source& source, std::uint64_t step) {
  source.first_open = std::max(source.first_open, step);
  while (!source.open.empty() && source.open.begin()->first < step) {
    close(source.open.begin()->first, source.open.begin()->second);
    source.open.erase(source.open.begin());
  }
}

void TrainingLog::close(std::uint64_t step, OpenStep& open) {
  model::TrainingStep summary;
  summary.step = step;
  next_steps_.resize(parts_.size());
  for (std::size_t i = 0; i < open.values.size(); ++i) {
    if (!open.values[i]) continue;
    if (step < next_steps_[i]) {
      ++dropped_;
      continue;
    }
    next_steps_[i] = step + 1;
    points_.push_back({static_cast<SeriesId>(i + 1), {step, *open.values[i]}});
    add_to_summary(parts_[i], *open.values[i], summary);
  }
  take_root(summary.gradient_l2);
  take_root(summary.weight_l2);
  take_root(summary.update_l2);
  for (auto& [series, histogram] : open.histograms) {
    delta_.histograms.push_back(std::move(histogram));
  }
  if (summary.figures == 0) return;
  summary.epoch = open.epoch;
  delta_.steps.push_back(summary);
  // An epoch's steps are those of who counts it: others may have other numbers.
  if (open.epoch > 0 && !open.counts_epochs) return;
  model::Epoch& epoch =
      epochs_.try_emplace(open.epoch, model::Epoch{open.epoch, step, step}).first->second;
  epoch.last_step = std::max(epoch.last_step, step);
}

model::TrainingDelta TrainingLog::take(bool is_final) {
  const std::lock_guard lock(mutex_);
  for (Source& source : sources_) {
    if (is_final && !source.open.empty()) close_before(source, source.open.rbegin()->first + 1);
  }
  model::TrainingDelta delta = std::exchange(delta_, {});
  take_points(delta.points);
  for (const auto& [number, epoch] : epochs_) delta.epochs.push_back(epoch);
  // Only the newest can still change.
  while (epochs_.size() > 1) epochs_.erase(epochs_.begin());
  kept_points_ = 0;
  for (const Source& source : sources_) {
    for (const auto& [step, open] : source.open) {
      kept_points_ += open.told;
      for (const auto& [id, histogram] : open.histograms) kept_points_ += histogram.edges.size();
    }
  }
  return delta;
}

void TrainingLog::take_points(std::vector<model::SeriesPoints>& by_series) {
  std::vector<std::size_t> counts(parts_.size());
  for (const ClosedPoint& closed : points_) ++counts[closed.series - 1];
  std::vector<std::size_t> places(parts_.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    places[i] = by_series.size();
    by_series.push_back({static_cast<SeriesId>(i + 1), {}});
    by_series.back().points.reserve(counts[i]);
  }
  for (const ClosedPoint& closed : points_) {
    by_series[places[closed.series - 1]].points.push_back(closed.point);
  }
  points_.clear();
}

std::uint64_t TrainingLog::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace sightline::record
