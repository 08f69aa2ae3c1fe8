#include "core/supervise/supervision.h"

#include <utility>

namespace sightline::supervise {

Supervision::Supervision(std::shared_ptr<record::TrainingLog> log, const Thresholds& thresholds)
    : log_(std::move(log)), watcher_(thresholds) {
  if (log_ != nullptr) source_ = log_->add_source();
}

bool Supervision::add(const model::SeriesKey& key, const model::SeriesOrigin& origin,
                      std::uint64_t step, std::uint64_t epoch, double value) {
  const std::lock_guard lock(mutex_);
  const Figure figure{known(key, origin), value};
  return add_figures({&figure, 1}, step, epoch);
}

Supervision::Series Supervision::series(const model::SeriesKey& key,
                                        const model::SeriesOrigin& origin) {
  const std::lock_guard lock(mutex_);
  return known(key, origin);
}

Supervision::Series Supervision::known(const model::SeriesKey& key,
                                       const model::SeriesOrigin& origin) {
  return {log_ == nullptr ? model::SeriesId{model::kNone} : log_->series(key, origin),
          watcher_.add_series(key, origin)};
}

bool Supervision::add(std::span<const Figure> figures, std::uint64_t step, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  return add_figures(figures, step, epoch);
}

bool Supervision::add_figures(std::span<const Figure> figures, std::uint64_t step,
                              std::uint64_t epoch) {
  reach(step);
  if (log_ != nullptr) {
    to_store_.clear();
    for (const Figure& figure : figures) to_store_.push_back({figure.series.stored, figure.value});
    if (!log_->add(source_, to_store_, step, epoch)) return false;
  }
  bool added = true;
  for (const Figure& figure : figures) {
    added = watcher_.add(figure.series.judged, step, figure.value) && added;
  }
  return added;
}

bool Supervision::add_histogram(const model::SeriesKey& key, const model::SeriesOrigin& origin,
                                model::TensorHistogram histogram) {
  const std::lock_guard lock(mutex_);
  if (log_ == nullptr) return true;
  reach(histogram.step);
  histogram.series = log_->series(key, origin);
  return log_->add_histogram(source_, std::move(histogram));
}

std::vector<Verdict> Supervision::end_step(std::uint64_t step) {
  const std::lock_guard lock(mutex_);
  close(step);
  return std::exchange(unheard_, {});
}

std::vector<Verdict> Supervision::end() { return end_step(newest_); }

void Supervision::reach(std::uint64_t step) {
  if (step <= newest_) return;
  newest_ = step;
  if (step > 1) close(step - 2);
}

void Supervision::close(std::uint64_t step) {
  if (log_ != nullptr) log_->end_step(source_, step);
  for (Verdict& verdict : watcher_.end_step(step)) {
    if (log_ != nullptr) log_->add_verdict(verdict);
    unheard_.push_back(std::move(verdict));
  }
}

}  // namespace sightline::supervise
