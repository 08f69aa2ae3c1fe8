// Everything that is known of one step when it is over, in an order that does not depend on who
// told it first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/series.h"

namespace sightline::supervise {

using SeriesId = std::size_t;

struct Fact {
  SeriesId series = 0;
  const model::SeriesKey* key = nullptr;
  const model::SeriesOrigin* origin = nullptr;
  double value = 0;
};

class StepFacts {
 public:
  // `facts` by key.
  StepFacts(std::uint64_t step, std::uint64_t index, const std::vector<Fact>& facts);

  std::uint64_t step() const { return step_; }
  std::uint64_t index() const { return index_; }  // how many steps came before it

  const std::vector<Fact>& of(std::string_view topic, std::string_view statistic = "") const;
  const std::vector<Fact>& of_statistic(std::string_view statistic) const;  // of whatever topic
  // The other figure of the same module and tensor.
  std::optional<double> beside(const Fact& fact, std::string_view topic,
                               std::string_view statistic) const;

 private:
  using Names = std::pair<std::string_view, std::string_view>;

  std::uint64_t step_;
  std::uint64_t index_;
  std::map<Names, std::vector<Fact>> by_names_;
  std::map<std::string_view, std::vector<Fact>> by_statistic_;
};

}  // namespace sightline::supervise
