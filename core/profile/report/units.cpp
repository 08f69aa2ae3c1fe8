#include "core/profile/report/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace sightline::profile {
namespace {

// Three significant digits, but never an exponent.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size < 9.995) return fmt::format("{:.2f}", value);
  if (size < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

}  // namespace

std::string format_time(double ns) {
  if (ns == 0.0) return "0";
  if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
  if (ns < 999.5e3) return three_digits(ns / 1e3) + " µs";
  if (ns < 999.5e6) return three_digits(ns / 1e6) + " ms";
  return three_digits(ns / 1e9) + " s";
}

std::string format_bytes(double bytes) {
  static constexpr std::array<const char*, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes == 0.0) return "0";
  if (bytes < 1023.5) return fmt::format("{:.0f} B", bytes);
  std::size_t unit = 0;
  bytes /= 1024.0;
  while (bytes >= 1023.5 && unit + 1 < kUnits.size()) {
    bytes /= 1024.0;
    ++unit;
  }
  return three_digits(bytes) + " " + kUnits[unit];
}

std::string format_bytes(std::uint64_t bytes) { return format_bytes(static_cast<double>(bytes)); }

std::string format_count(double count) {
  if (count < 100.0 && count != std::floor(count)) return fmt::format("{:.1f}", count);
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    if (digits[at - 1] != '-') digits.insert(at, ",");
  }
  return digits;
}

std::string format_amount(double count) {
  static constexpr std::array<const char*, 6> kUnits = {" k", " M", " G", " T", " P", " E"};
  if (std::abs(count) < 9999.5) return format_count(count);
  std::size_t unit = 0;
  count /= 1000.0;
  while (std::abs(count) >= 999.5 && unit + 1 < kUnits.size()) {
    count /= 1000.0;
    ++unit;
  }
  return three_digits(count) + kUnits[unit];
}

std::string format_ratio(double ratio) { return three_digits(ratio); }

std::string format_percent(double percent) {
  const double rounded = std::round(percent * 10.0) / 10.0;
  if (rounded == 100.0) return "100 %";
  return fmt::format("{:.1f} %", rounded == 0.0 ? 0.0 : percent);
}

}  // namespace sightline::profile
