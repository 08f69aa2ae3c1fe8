// Decides whether a difference between two runs counts. Internal to this room; comparison.h has
// the rules.
#pragma once

#include <cstdint>
#include <optional>

#include "core/profile/compare/comparison.h"
#include "core/profile/compare/step_noise.h"

namespace sightline::profile {

// Whether a run has the thing at all: its line, its module.
enum class Presence { Both, OnlyBefore, OnlyAfter };

class Judge {
 public:
  // Sums of times are divided by the counted steps of their run.
  Judge(const Breakdown& before, const Breakdown& after, const StepNoise& before_noise,
        const StepNoise& after_noise, bool timed);

  // A part of the step, of which sums are known.
  Change part(std::uint64_t before_sum_ns, std::uint64_t after_sum_ns,
              Presence presence = Presence::Both) const;
  Change phase(std::size_t index) const;
  // Any time per step, with the standard errors of its values.
  Change time(std::optional<double> before_ns, std::optional<double> after_ns, double before_error,
              double after_error) const;
  Change step() const;
  // Samples per second, for which more is better, and the time of one sample; with the noise that
  // the step has in proportion.
  Change speed() const;
  Change sample() const;

  static Change bytes(std::optional<std::uint64_t> before, std::optional<std::uint64_t> after,
                      double floor, Presence presence = Presence::Both);

  static constexpr double kBytesFloor = 0.001;
  static constexpr double kProcessFloor = 0.01;

 private:
  double before_step_ns() const { return before_noise_.all_ns; }

  const Breakdown& before_;
  const Breakdown& after_;
  StepNoise before_noise_;
  StepNoise after_noise_;
  bool timed_;
};

}  // namespace sightline::profile
