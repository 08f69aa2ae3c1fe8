// A limit as it is typed: METRIC:LIMIT.
//
//   macs:+0%             not more than in the base
//   execution_time:+5%   at most 5 % more
//   peak_bytes:+2MiB     at most so much more
//   parameters:-10%      at least 10 % fewer, as a limit from above
//   size_bytes:20MiB     at most that, whatever the base has
#pragma once

#include <string>
#include <string_view>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/profile/compare/figure.h"

namespace sightline::gate {

enum class Side { AtMost, AtLeast };

enum class LimitKind {
  Percent,     // of the base, more or less
  Difference,  // from the base
  Value,       // the base does not matter
};

struct Limit {
  Side side = Side::AtMost;
  std::string metric;
  LimitKind kind = LimitKind::Percent;
  double amount = 0.0;
  std::string unit;  // what follows the number: "%", "MiB", "ms", "M" or nothing
  std::string text;  // the limit alone, as it was typed: "+5%"
};

// Fails with InvalidArgument and how a limit is written.
SIGHTLINE_API Result<Limit> parse_limit(Side side, std::string_view typed);

// The amount in the unit of the metric (not for a percentage). Fails with InvalidArgument if what
// follows the number does not fit the metric.
SIGHTLINE_API Result<double> amount_in(const Limit& limit, const profile::Metric& metric);

}  // namespace sightline::gate
