#include "core/gate/limit.h"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace sightline::gate {
namespace {

using profile::Unit;

struct UnitName {
  std::string_view name;
  double factor;
};

constexpr std::array<UnitName, 5> kCounts = {
    {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
constexpr std::array<UnitName, 8> kBytes = {{{"", 1},
                                             {"B", 1},
                                             {"kB", 1e3},
                                             {"MB", 1e6},
                                             {"GB", 1e9},
                                             {"KiB", 1024},
                                             {"MiB", 1048576},
                                             {"GiB", 1073741824}}};
constexpr std::array<UnitName, 4> kTimes = {{{"ns", 1e-6}, {"us", 1e-3}, {"ms", 1}, {"s", 1e3}}};
constexpr std::array<UnitName, 2> kSpeeds = {{{"", 1}, {"/s", 1}}};

std::span<const UnitName> unit_names(Unit unit) {
  switch (unit) {
    case Unit::Bytes:
      return kBytes;
    case Unit::Milliseconds:
      return kTimes;
    case Unit::PerSecond:
      return kSpeeds;
    case Unit::Count:
      break;
  }
  return kCounts;
}

std::string listed(std::span<const UnitName> names) {
  std::string text = "%";
  for (const UnitName& unit : names) {
    text += ", " + (unit.name.empty() ? std::string("no unit") : std::string(unit.name));
  }
  return text;
}

Error badly_typed(Side side, std::string_view typed) {
  const std::string option = side == Side::AtMost ? "--max" : "--min";
  return {ErrorKind::InvalidArgument,
          option + " " + std::string(typed) +
              " is no limit; write METRIC:LIMIT, for example macs:+0%, execution_time:+5%, "
              "peak_bytes:+2MiB or size_bytes:20MiB"};
}

}  // namespace

Result<Limit> parse_limit(Side side, std::string_view typed) {
  const std::size_t colon = typed.find(':');
  if (colon == std::string_view::npos || colon == 0) return badly_typed(side, typed);
  Limit limit;
  limit.side = side;
  limit.metric = typed.substr(0, colon);
  limit.text = typed.substr(colon + 1);
  std::string_view number = limit.text;
  const bool has_sign = number.starts_with('+') || number.starts_with('-');
  const double sign = number.starts_with('-') ? -1.0 : 1.0;
  if (has_sign) number.remove_prefix(1);
  const char* end = number.data() + number.size();
  double amount = 0.0;
  const auto [stop, failure] =
      std::from_chars(number.data(), end, amount, std::chars_format::fixed);
  if (failure != std::errc() || amount < 0.0 || !std::isfinite(amount)) {
    return badly_typed(side, typed);
  }
  limit.unit.assign(stop, end);
  limit.amount = sign * amount;
  limit.kind = limit.unit == "%" ? LimitKind::Percent
               : has_sign        ? LimitKind::Difference
                                 : LimitKind::Value;
  if (limit.kind == LimitKind::Percent && !has_sign) {
    return Error{ErrorKind::InvalidArgument,
                 std::string(typed) + " does not say of more or of less; write " + limit.metric +
                     ":+" + limit.text + " or " + limit.metric + ":-" + limit.text};
  }
  return limit;
}

Result<double> amount_in(const Limit& limit, const profile::Metric& metric) {
  const std::span<const UnitName> names = unit_names(metric.unit);
  for (const UnitName& unit : names) {
    if (unit.name == limit.unit) return limit.amount * unit.factor;
  }
  return Error{ErrorKind::InvalidArgument, "the limit " + limit.metric + ":" + limit.text +
                                               " has a unit that does not fit; after its number " +
                                               "may stand: " + listed(names)};
}

}  // namespace sightline::gate
