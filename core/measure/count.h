// What recorded calls cost together: in all, by module and by operator, and what is not known.
//
// A call is counted at the outermost operator that has a formula; what that one calls is part of
// it. Operators without a formula are looked into. Where there is nothing inside that computes, or
// where a kernel does more than it calls, the operator is listed as uncounted, unless it is known
// to touch no data. The backward pass through an operator whose kernels differ there is counted at
// its first call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/measure/cost.h"
#include "core/measure/operator_call.h"

namespace sightline::measure {

class PhaseCosts {
 public:
  const Cost& of(model::Phase phase) const { return costs_[static_cast<std::size_t>(phase)]; }
  void add(model::Phase phase, const Cost& cost) {
    costs_[static_cast<std::size_t>(phase)] += cost;
  }
  PhaseCosts& operator+=(const PhaseCosts& other) {
    for (std::size_t i = 0; i < costs_.size(); ++i) costs_[i] += other.costs_[i];
    return *this;
  }

 private:
  std::array<Cost, model::kPhases> costs_;
};

struct OperatorCount {
  std::string name;
  std::uint64_t calls = 0;
  PhaseCosts costs;
  std::uint64_t time_ns = 0;  // with what they call
};

struct ModuleCount {
  model::ModuleId id = model::kNone;
  PhaseCosts own;    // of operators called by the module itself
  PhaseCosts total;  // with all modules that it holds
};

struct UncountedOperator {
  std::string name;
  std::uint64_t calls = 0;
  std::uint64_t time_ns = 0;  // with what they call
};

struct Count {
  PhaseCosts total;
  std::uint64_t time_ns = 0;                 // of all operators; zero without data
  std::vector<ModuleCount> modules;          // one for each module of the record but "none"
  std::vector<PhaseCosts> lines;             // one for each line of the record, "none" included
  std::vector<PhaseCosts> layers;            // likewise, with the layers that they call
  std::vector<OperatorCount> operators;      // by name
  std::vector<UncountedOperator> uncounted;  // by name

  // Of the time of all operators; nothing if there is none.
  std::optional<double> share_of(std::uint64_t part_ns) const {
    if (time_ns == 0) return std::nullopt;
    return static_cast<double>(part_ns) / static_cast<double>(time_ns);
  }
};

SIGHTLINE_API Count count(const CallRecord& record);

}  // namespace sightline::measure
