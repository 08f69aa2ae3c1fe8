#include "core/supervise/rules/watcher.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

// All others are for people to look at.
constexpr std::array<std::string_view, 11> kReadStatistics = {
    "",         kAbsMean, kL2,      kVariance,  kNonFinite,     kNonFiniteSource,
    kZeroShare, kSpread,  kChanged, kIdleShare, kSaturatedShare};

bool is_read(const model::SeriesKey& key) {
  return std::find(kReadStatistics.begin(), kReadStatistics.end(), key.statistic) !=
         kReadStatistics.end();
}

}  // namespace

Verdict verdict_of(const char* rule, model::Severity severity, const StepFacts& facts,
                   const Fact& fact) {
  Verdict verdict;
  verdict.rule = rule;
  verdict.severity = severity;
  verdict.step = facts.step();
  verdict.module = fact.key->module;
  verdict.tensor = fact.key->tensor;
  verdict.topic = fact.key->topic;
  verdict.origin = *fact.origin;
  return verdict;
}

Watcher::Watcher(const Thresholds& thresholds) {
  rules_.push_back(make_non_finite_rule());
  rules_.push_back(make_gradient_rule(thresholds));
  rules_.push_back(make_unit_rule(thresholds));
  rules_.push_back(make_update_ratio_rule(thresholds));
  rules_.push_back(make_initialisation_rule(thresholds));
  rules_.push_back(make_stuck_tensor_rule(thresholds));
  rules_.push_back(make_loss_rule(thresholds));
  rules_.push_back(make_overfit_rule(thresholds));
  rules_.push_back(make_step_time_rule(thresholds));
  rules_.push_back(make_memory_rule(thresholds));
}

SeriesId Watcher::add_series(const model::SeriesKey& key, const model::SeriesOrigin& origin) {
  if (!is_read(key)) return kNotRead;
  return series_.try_emplace(key, KnownSeries{series_.size(), origin}).first->second.id;
}

bool Watcher::add(SeriesId series, std::uint64_t step, double value) {
  if (step < first_open_) return false;
  if (series == kNotRead) return true;
  if (series >= series_.size()) return false;
  Values& values = open_[step];
  if (values.size() <= series) values.resize(series_.size());
  values[series] = value;
  return true;
}

std::vector<Verdict> Watcher::end_step(std::uint64_t step) {
  std::vector<Verdict> verdicts;
  first_open_ = std::max(first_open_, step + 1);
  while (!open_.empty() && open_.begin()->first <= step) {
    judge(open_.begin()->first, open_.begin()->second, verdicts);
    open_.erase(open_.begin());
  }
  return verdicts;
}

void Watcher::rank_series() {
  if (by_key_.size() == series_.size()) return;
  by_key_.clear();
  for (const auto& [key, series] : series_) {
    by_key_.push_back({{series.id, &key, &series.origin, 0}, facts_.place_of(key)});
  }
}

void Watcher::judge(std::uint64_t step, const Values& values, std::vector<Verdict>& verdicts) {
  rank_series();
  facts_.begin(step);
  for (Ranked& ranked : by_key_) {
    if (ranked.fact.series >= values.size() || !values[ranked.fact.series]) continue;
    ranked.fact.value = *values[ranked.fact.series];
    facts_.add(ranked.place, ranked.fact);
  }
  std::vector<Verdict> said;
  for (const auto& rule : rules_) rule->judge(facts_, said);
  for (Verdict& verdict : said) {
    if (told_.emplace(verdict.rule, verdict.module, verdict.tensor, verdict.topic).second) {
      verdicts.push_back(std::move(verdict));
    }
  }
}

// Step by step, so that no more than one is held twice in memory.
std::vector<Verdict> replay(std::span<const model::Series> series, const Thresholds& thresholds) {
  Watcher watcher(thresholds);
  std::vector<SeriesId> ids;
  for (const model::Series& one : series) ids.push_back(watcher.add_series(one.key, one.origin));
  std::vector<std::size_t> next(series.size());
  std::vector<Verdict> verdicts;
  for (;;) {
    std::optional<std::uint64_t> step;
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (next[i] == series[i].points.size()) continue;
      const std::uint64_t its_step = series[i].points[next[i]].step;
      if (!step || its_step < *step) step = its_step;
    }
    if (!step) return verdicts;
    for (std::size_t i = 0; i < series.size(); ++i) {
      const std::vector<model::SeriesPoint>& points = series[i].points;
      for (; next[i] < points.size() && points[next[i]].step == *step; ++next[i]) {
        (void)watcher.add(ids[i], *step, points[next[i]].value);
      }
    }
    for (Verdict& verdict : watcher.end_step(*step)) verdicts.push_back(std::move(verdict));
  }
}

}  // namespace sightline::supervise
