// Holds a run against limits that another one sets, figure by figure.
//
// A figure that varies by chance (times, the size of the process) is beyond its limit only if it is
// by more than the noise, and within it only if it is by more than the noise; between the two there
// is no verdict. The noise is two standard errors of the new figure and of the limit, which has the
// error of the base, and 1 % of the figure at least. Counts and the framework's bytes do not vary.
#pragma once

#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/gate/limit.h"
#include "core/model/run.h"
#include "core/profile/compare/figure.h"

namespace sightline::gate {

enum class Outcome { Passed, Failed, Undecided };

constexpr std::string_view name_of(Outcome outcome) {
  constexpr std::string_view kNames[] = {"passed", "failed", "undecided"};
  return kNames[static_cast<std::size_t>(outcome)];
}

struct Check {
  Limit limit;
  profile::Figure base;
  profile::Figure now;
  double bound = 0.0;  // what the limit comes to
  double noise = 0.0;  // within which there is no verdict
  Outcome outcome = Outcome::Passed;

  std::optional<double> percent() const;  // that the figure changed by
};

struct Checks {
  std::vector<Check> checks;       // in the order of the limits
  std::vector<std::string> notes;  // in plain words: what makes the two hard to compare

  std::size_t count(Outcome outcome) const;
};

// Fails with InvalidArgument if the runs are not of one kind, if one has no such figure or has not
// measured it, or if a limit's unit does not fit.
SIGHTLINE_API Result<Checks> check(const model::Run& base, const model::Run& now,
                                   const std::vector<Limit>& limits);

// The names that a limit can have, for a list: of recorded runs, or of measurements.
SIGHTLINE_API std::vector<profile::Metric> known_metrics(bool of_measurements);

}  // namespace sightline::gate
