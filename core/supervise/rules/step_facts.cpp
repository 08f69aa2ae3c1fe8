#include "core/supervise/rules/step_facts.h"

#include <algorithm>
#include <tuple>

namespace sightline::supervise {
namespace {

const std::vector<Fact> kNoFacts;

auto owner_of(const Fact& fact) { return std::tie(fact.key->module, fact.key->tensor); }

template <typename Map, typename Key>
const std::vector<Fact>& facts_at(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? kNoFacts : found->second;
}

}  // namespace

StepFacts::Place StepFacts::place_of(const model::SeriesKey& key) {
  const bool of_all = std::ranges::find(kReadOfAllTopics, key.statistic) != kReadOfAllTopics.end();
  return {&by_names_[{key.topic, key.statistic}], of_all ? &by_statistic_[key.statistic] : nullptr};
}

void StepFacts::begin(std::uint64_t step) {
  step_ = step;
  ++begun_;
  for (auto& [names, facts] : by_names_) facts.clear();
  for (auto& [statistic, facts] : by_statistic_) facts.clear();
}

const std::vector<Fact>& StepFacts::of(std::string_view topic, std::string_view statistic) const {
  return facts_at(by_names_, Names{topic, statistic});
}

const std::vector<Fact>& StepFacts::of_statistic(std::string_view statistic) const {
  return facts_at(by_statistic_, statistic);
}

std::optional<double> StepFacts::beside(const Fact& fact, std::string_view topic,
                                        std::string_view statistic) const {
  const std::vector<Fact>& others = of(topic, statistic);
  const auto found = std::lower_bound(
      others.begin(), others.end(), fact,
      [](const Fact& other, const Fact& wanted) { return owner_of(other) < owner_of(wanted); });
  if (found == others.end() || owner_of(*found) != owner_of(fact)) return std::nullopt;
  return found->value;
}

}  // namespace sightline::supervise
