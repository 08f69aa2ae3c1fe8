// Decides step by step whether the tensors of a training are looked at, so that looking takes no
// more than a share of the time that the training takes by itself.
//
// The first steps are always looked at: rules about the beginning need them, and what a look costs
// is learned there. Afterwards every step earns its share of time, and a look waits until its cost
// has been earned. One thread at a time.
#pragma once

#include <cstdint>

#include "core/base/export.h"

namespace sightline::supervise {

class TimeBudget {
 public:
  static constexpr std::uint64_t kFirstSteps = 10;

  // 0.05: one twentieth of the training's own time. Infinity: every step is looked at.
  SIGHTLINE_API explicit TimeBudget(double share);

  // Whether the running step is to be looked at.
  bool looking() const { return looking_; }

  // The running step took so long in all, of which so much was spent on looking.
  SIGHTLINE_API void end_step(std::uint64_t step_ns, std::uint64_t spent_ns);

  std::uint64_t steps() const { return steps_; }          // that have ended
  std::uint64_t looked_at() const { return looked_at_; }  // of these

 private:
  double share_;
  bool looking_ = true;
  double earned_ns_ = 0;
  double look_ns_ = 0;  // what a look costs, lately
  std::uint64_t steps_ = 0;
  std::uint64_t looked_at_ = 0;
};

}  // namespace sightline::supervise
