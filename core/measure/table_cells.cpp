#include "core/measure/table_cells.h"

#include <fmt/format.h>

#include <array>

namespace sightline::measure {

std::string count_cell(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string bytes_cell(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  constexpr double kStep = 1024;
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= kStep && unit + 1 < kUnits.size(); ++unit) size /= kStep;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

std::string ms_cell(double milliseconds) { return fmt::format("{:.3f}", milliseconds); }

std::string share_cell(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string text_cell(std::string_view text) {
  constexpr char kDelete = 0x7f;
  std::string harmless(text);
  for (char& letter : harmless) {
    const bool control = (letter >= 0 && letter < ' ') || letter == kDelete;
    if (control) letter = '?';
  }
  return harmless;
}

}  // namespace sightline::measure
