// Everything that is known of one step when it is over, in an order that does not depend on who
// told it first. One object serves step after step: what holds the facts is made once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/series.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {

using SeriesId = std::size_t;

// Statistics that a rule reads whatever the topic.
inline constexpr std::array<std::string_view, 4> kReadOfAllTopics = {kNonFinite, kNonFiniteSource,
                                                                     kZeroShare, kChanged};

struct Fact {
  SeriesId series = 0;
  const model::SeriesKey* key = nullptr;
  const model::SeriesOrigin* origin = nullptr;
  double value = 0;
};

class StepFacts {
 public:
  // Where the facts of a series go. Valid as long as the StepFacts.
  struct Place {
    std::vector<Fact>* by_names = nullptr;
    std::vector<Fact>* by_statistic = nullptr;  // null: no rule asks for it
  };

  // The key has to outlive this.
  Place place_of(const model::SeriesKey& key);

  // Forgets the step before.
  void begin(std::uint64_t step);
  // By key, the smallest first.
  void add(const Place& place, const Fact& fact) {
    place.by_names->push_back(fact);
    if (place.by_statistic != nullptr) place.by_statistic->push_back(fact);
  }

  std::uint64_t step() const { return step_; }
  std::uint64_t index() const { return begun_ - 1; }  // how many steps came before it

  const std::vector<Fact>& of(std::string_view topic, std::string_view statistic = "") const;
  // Of whatever topic; one of kReadOfAllTopics.
  const std::vector<Fact>& of_statistic(std::string_view statistic) const;
  // The other figure of the same module and tensor.
  std::optional<double> beside(const Fact& fact, std::string_view topic,
                               std::string_view statistic) const;

 private:
  using Names = std::pair<std::string_view, std::string_view>;

  std::uint64_t step_ = 0;
  std::uint64_t begun_ = 0;
  std::map<Names, std::vector<Fact>> by_names_;
  std::map<std::string_view, std::vector<Fact>> by_statistic_;
};

}  // namespace sightline::supervise
