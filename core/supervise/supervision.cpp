#include "core/supervise/supervision.h"

#include <cmath>
#include <utility>

#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {

Supervision::Supervision(std::shared_ptr<record::TrainingLog> log, const Thresholds& thresholds)
    : log_(std::move(log)), watcher_(thresholds) {}

bool Supervision::add(const model::SeriesKey& key, const model::SeriesOrigin& origin,
                      std::uint64_t step, std::uint64_t epoch, double value) {
  const std::lock_guard lock(mutex_);
  return add_value(key, origin, step, epoch, value);
}

bool Supervision::add_value(const model::SeriesKey& key, const model::SeriesOrigin& origin,
                            std::uint64_t step, std::uint64_t epoch, double value) {
  if (step > newest_) {
    newest_ = step;
    if (step > 1) close(step - 2);
  }
  if (!log_->add(log_->series(key, origin), step, epoch, value)) return false;
  return watcher_.add(watcher_.add_series(key, origin), step, value);
}

bool Supervision::add_statistics(model::SeriesKey key, const model::SeriesOrigin& origin,
                                 std::uint64_t step, std::uint64_t epoch,
                                 const Statistics& statistics) {
  const std::pair<const char*, double> figures[] = {
      {"mean", statistics.mean},
      {kVariance, statistics.variance()},
      {"l1", statistics.l1},
      {kL2, statistics.l2()},
      {"min", statistics.min},
      {"max", statistics.max},
      {"absmax", statistics.absmax()},
      {kAbsMean, statistics.abs_mean()},
      {kZeroShare, statistics.zero_share()},
      {kNonFinite, static_cast<double>(statistics.non_finite)},
  };
  const std::lock_guard lock(mutex_);
  bool added = true;
  for (const auto& [name, value] : figures) {
    // Of a tensor without a finite element there is nothing to tell but that.
    if (std::isnan(value)) continue;
    key.statistic = name;
    added = add_value(key, origin, step, epoch, value) && added;
  }
  return added;
}

bool Supervision::add_histogram(const model::SeriesKey& key, const model::SeriesOrigin& origin,
                                model::TensorHistogram histogram) {
  const std::lock_guard lock(mutex_);
  histogram.series = log_->series(key, origin);
  return log_->add_histogram(std::move(histogram));
}

std::vector<Verdict> Supervision::end_step(std::uint64_t step) {
  const std::lock_guard lock(mutex_);
  close(step);
  return std::exchange(unheard_, {});
}

std::vector<Verdict> Supervision::end() { return end_step(newest_); }

void Supervision::close(std::uint64_t step) {
  log_->end_step(step);
  for (Verdict& verdict : watcher_.end_step(step)) {
    log_->add_verdict(verdict);
    unheard_.push_back(std::move(verdict));
  }
}

}  // namespace sightline::supervise
