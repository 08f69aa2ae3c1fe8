#include "core/gate/gate_words.h"

#include <fmt/format.h>

#include <cmath>

#include "core/gate/gate_reports.h"
#include "core/profile/report/units.h"

namespace sightline::gate {
namespace {

using profile::format_value;

// In full where rounded numbers would look the same.
std::string shown(const Check& check, double value) {
  const profile::Unit unit = check.base.metric.unit;
  const double base = *check.base.value;
  const double now = *check.now.value;
  if (base == now || format_value(base, unit) != format_value(now, unit)) {
    return format_value(value, unit);
  }
  if (unit == profile::Unit::Bytes) return profile::format_count(value) + " B";
  if (unit == profile::Unit::Count) return profile::format_count(value);
  return format_value(value, unit);
}

std::string change_of(const Check& check) {
  const std::optional<double> percent = check.percent();
  if (!percent) return "";
  const std::string size = profile::format_percent(std::abs(*percent));
  if (*percent == 0.0) return "0 %";
  return (*percent < 0.0 ? "-" : "+") + size;
}

}  // namespace

CheckWords words_of(const Check& check) {
  return {shown(check, *check.base.value), shown(check, *check.now.value), change_of(check),
          (check.limit.side == Side::AtMost ? "at most " : "at least ") + check.limit.text};
}

bool GateReport::failed() const {
  for (const Check& check : checks.checks) {
    if (fails(check)) return true;
  }
  return false;
}

std::string summary_in_words(const GateReport& report) {
  const std::size_t all = report.checks.checks.size();
  const std::size_t failed = report.checks.count(Outcome::Failed);
  const std::size_t undecided = report.checks.count(Outcome::Undecided);
  std::string text;
  if (failed == 0) {
    text = undecided == 0 ? fmt::format("{} kept", all == 1 ? "the limit is" : "all limits are")
                          : "no limit is exceeded";
  } else {
    text = fmt::format("{} of {} limit{} {} exceeded", failed, all, all == 1 ? "" : "s",
                       failed == 1 ? "is" : "are");
  }
  if (undecided > 0) text += fmt::format(", {} cannot be decided within the noise", undecided);
  return text;
}

std::string check_in_words(const Check& check) {
  const CheckWords words = words_of(check);
  std::string text =
      fmt::format("{} {} -> {}", std::string(check.base.metric.name), words.base, words.now);
  if (!words.change.empty()) text += " (" + words.change + ")";
  text += ", " + words.limit;
  if (check.outcome == Outcome::Undecided) {
    text += fmt::format("; the noise of ±{} does not allow a verdict",
                        format_value(check.noise, check.base.metric.unit));
  }
  return text;
}

}  // namespace sightline::gate
