#include "core/measure/status/frame.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/safe_text.h"

namespace sightline::measure {
namespace {

constexpr std::size_t kBetweenColumns = 3;  // " | "

std::string set_right(const std::string& text, std::size_t width) {
  return std::string(width - display_width(text), ' ') + text;
}

}  // namespace

Frame::Frame(std::string_view title, std::vector<std::size_t> least_widths)
    : title_(printable(title)), widths_(std::move(least_widths)) {
  const std::size_t inner = inner_width();
  const std::size_t needed = display_width(title_);
  if (needed > inner) widths_.front() += needed - inner;
}

void Frame::add_row(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = printable(cells[i]);
    widths_[i] = std::max(widths_[i], display_width(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

void Frame::add_rule() { rows_.emplace_back(); }

std::string Frame::render() const {
  std::string text = full_rule() + centred_title() + column_rule();
  for (const std::vector<std::string>& cells : rows_) {
    text += cells.empty() ? column_rule() : line(cells);
  }
  return text + column_rule();
}

std::string Frame::full_rule() const { return "+" + std::string(inner_width(), '-') + "+\n"; }

std::size_t Frame::inner_width() const {
  return std::accumulate(widths_.begin(), widths_.end(), kBetweenColumns * (widths_.size() - 1));
}

std::string Frame::centred_title() const {
  const std::size_t blank = inner_width() - display_width(title_);
  const std::size_t left = blank / 2;
  return "|" + std::string(left, ' ') + title_ + std::string(blank - left, ' ') + "|\n";
}

std::string Frame::column_rule() const {
  std::string rule = "+";
  for (std::size_t i = 0; i < widths_.size(); ++i) {
    const bool inside = i > 0 && i + 1 < widths_.size();
    rule += std::string(widths_[i] + (inside ? 2 : 1), '-') + "+";
  }
  return rule + "\n";
}

std::string Frame::line(const std::vector<std::string>& cells) const {
  std::string text = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += (i == 0 ? "" : " | ") + set_right(cells[i], widths_[i]);
  }
  return text + "|\n";
}

}  // namespace sightline::measure
