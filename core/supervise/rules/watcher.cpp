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
  const auto [known, added] = ids_.try_emplace(key, series_.size());
  if (added) series_.push_back(std::make_unique<KnownSeries>(KnownSeries{key, origin}));
  return known->second;
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

void Watcher::judge(std::uint64_t step, const Values& values, std::vector<Verdict>& verdicts) {
  std::vector<Fact> by_key;
  by_key.reserve(values.size());
  for (const auto& [key, id] : ids_) {
    if (id >= values.size() || !values[id]) continue;
    by_key.push_back({id, &series_[id]->key, &series_[id]->origin, *values[id]});
  }
  const StepFacts facts(step, judged_steps_++, by_key);
  std::vector<Verdict> said;
  for (const auto& rule : rules_) rule->judge(facts, said);
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
