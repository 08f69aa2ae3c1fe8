#include "core/profile/report/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kHotPercent = 20.0;
constexpr double kWarmPercent = 5.0;

Style heat(double percent) {
  if (percent >= kHotPercent) return Style::Hot;
  return percent >= kWarmPercent ? Style::Warm : Style::Plain;
}

}  // namespace

double Page::per_step(std::uint64_t sum) const {
  if (breakdown.counted_steps == 0) return 0.0;
  return static_cast<double>(sum) / static_cast<double>(breakdown.counted_steps);
}

double Page::percent_of_step(std::uint64_t sum_ns) const {
  if (breakdown.wall_ns == 0) return 0.0;
  return 100.0 * static_cast<double>(sum_ns) / static_cast<double>(breakdown.wall_ns);
}

std::string Page::time(std::uint64_t sum_ns) const { return format_time(per_step(sum_ns)); }

Cell Page::time_cell(std::uint64_t sum_ns) const {
  if (!timed() || sum_ns == 0) return {kNothing, Style::Faint};
  return {time(sum_ns), heat(percent_of_step(sum_ns))};
}

Cell Page::share_cell(std::uint64_t sum_ns) const {
  if (!timed() || sum_ns == 0) return {kNothing, Style::Faint};
  const double percent = percent_of_step(sum_ns);
  return {format_percent(percent), heat(percent)};
}

Cell Page::count_cell(std::uint64_t sum) const {
  if (!timed() || sum == 0) return {kNothing, Style::Faint};
  return {format_count(per_step(sum)), Style::Plain};
}

Cell Page::bytes_cell(double bytes) const {
  if (bytes == 0.0) return {kNothing, Style::Faint};
  return {format_bytes(bytes), Style::Plain};
}

std::string TextPage::heading(std::string_view text, std::string_view remark) const {
  std::string line = "\n" + paint(Style::Strong, text);
  if (!remark.empty()) line += "  " + paint(Style::Faint, remark);
  return line + "\n";
}

std::size_t TextPage::rows_to_show(std::size_t all) const {
  return options.top == 0 ? all : std::min(all, options.top);
}

std::string TextPage::left_out(std::size_t all, std::size_t shown, std::string_view what) const {
  if (shown >= all) return "";
  return "  " +
         paint(Style::Faint, fmt::format("and {} more {}; --top 0 shows all",
                                         format_count(static_cast<double>(all - shown)), what)) +
         "\n";
}

std::string TextPage::in_its_characters(const std::string& text) const {
  return options.ascii ? in_ascii(text) : text;
}

std::string bar(double share, std::size_t columns) {
  static constexpr std::array<const char*, 8> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double clamped = std::clamp(share, 0.0, 1.0);
  std::size_t eighths =
      static_cast<std::size_t>(std::lround(clamped * static_cast<double>(columns) * 8.0));
  if (eighths == 0 && clamped > 0.0) eighths = 1;
  std::string text;
  for (std::size_t full = 0; full < eighths / 8; ++full) text += "█";
  return text + kParts[eighths % 8];
}

std::string place_of(const LineRow& line) {
  return printable(line.file) + ":" + std::to_string(line.line);
}

std::string remark_on(const LineRow& line) {
  std::string remark = printable(line.function);
  if (line.source && !line.source->empty()) remark += " │ " + printable(*line.source);
  return remark;
}

}  // namespace sightline::profile
