// Holds a training against the rules, step by step: while it runs, or afterwards from its series,
// with the same verdicts.
//
// A verdict is given once for a rule and what it is about: at the first step of which it is true.
// What came of a step is looked at when the step is over, by the names of the series, so that the
// order in which threads tell things does not matter. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/export.h"
#include "core/model/series.h"
#include "core/supervise/rules/rule.h"
#include "core/supervise/rules/thresholds.h"
#include "core/supervise/rules/verdict.h"

namespace sightline::supervise {

class Watcher {
 public:
  static constexpr SeriesId kNotRead = static_cast<SeriesId>(-1);

  SIGHTLINE_API explicit Watcher(const Thresholds& thresholds = {});
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // The same for the same key; the origin of the first time counts. kNotRead if no rule reads it.
  SIGHTLINE_API SeriesId add_series(const model::SeriesKey& key,
                                    const model::SeriesOrigin& origin = {});

  // False, and nothing is done, if that step is over: then it is not to be stored either. A second
  // value of a step replaces the first. One that no rule reads is taken and forgotten.
  SIGHTLINE_API bool add(SeriesId series, std::uint64_t step, double value);

  // Judges this step and those before it that were not judged yet.
  SIGHTLINE_API std::vector<Verdict> end_step(std::uint64_t step);

 private:
  struct KnownSeries {
    SeriesId id = 0;
    model::SeriesOrigin origin;
  };
  struct Ranked {
    Fact fact;  // without its value
    StepFacts::Place place;
  };

  using Values = std::vector<std::optional<double>>;  // by series

  void judge(std::uint64_t step, const Values& values, std::vector<Verdict>& verdicts);
  void rank_series();

  std::vector<std::unique_ptr<Rule>> rules_;
  std::map<model::SeriesKey, KnownSeries> series_;
  std::vector<Ranked> by_key_;  // all series, unless there are new ones
  StepFacts facts_;
  std::map<std::uint64_t, Values> open_;
  std::uint64_t first_open_ = 0;
  // Rule, module, tensor, topic.
  std::set<std::tuple<std::string, std::string, std::string, std::string>> told_;
};

// The verdicts of a training that is over, from the series that were kept of it.
SIGHTLINE_API std::vector<Verdict> replay(std::span<const model::Series> series,
                                          const Thresholds& thresholds = {});

}  // namespace sightline::supervise
