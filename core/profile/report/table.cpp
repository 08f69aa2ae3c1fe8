#include "core/profile/report/table.h"

#include <algorithm>

#include "core/profile/report/safe_text.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kTableIndent = 2;
constexpr std::size_t kRowNoteIndent = 6;
constexpr std::size_t kFirstColumnAtLeast = 20;

void trim_end(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

std::string set_in(const std::string& text, std::size_t width, Align align) {
  std::string set = align == Align::Path ? cut_left(text, width) : cut_right(text, width);
  const std::string padding(width - display_width(set), ' ');
  return align == Align::Right ? padding + set : set + padding;
}

void Table::add(std::vector<Cell> cells) { rows_.push_back({std::move(cells), {}}); }

void Table::note(Cell text) { rows_.back().notes.push_back(std::move(text)); }

std::vector<std::size_t> Table::fit(std::size_t width) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::size_t needed = display_width(columns_[column].title);
    for (const Row& row : rows_) needed = std::max(needed, display_width(row.cells[column].text));
    widths.push_back(needed);
  }
  const auto used = [&] {
    std::size_t sum = kTableIndent;
    for (std::size_t column = 1; column < widths.size(); ++column) {
      if (widths[column] > 0) sum += kGap + widths[column];
    }
    return sum;
  };
  while (used() + std::min(widths[0], kFirstColumnAtLeast) > width) {
    const std::optional<std::size_t> column = next_to_go(widths);
    if (!column) break;
    widths[*column] = 0;
  }
  const std::size_t left_over = width > used() ? width - used() : 1;
  widths[0] = std::min(widths[0], left_over);
  return widths;
}

std::optional<std::size_t> Table::next_to_go(const std::vector<std::size_t>& widths) const {
  std::optional<std::size_t> next;
  for (std::size_t column = 1; column < widths.size(); ++column) {
    const bool at_least_as_spare = !next || columns_[column].spare || !columns_[*next].spare;
    if (widths[column] > 0 && at_least_as_spare) next = column;
  }
  return next;
}

std::string Table::render_row(const std::vector<Cell>& cells,
                              const std::vector<std::size_t>& widths, const Paint& paint) const {
  std::string line(kTableIndent, ' ');
  const auto last = std::find_if(widths.rbegin(), widths.rend(), [](auto w) { return w > 0; });
  const auto shown = static_cast<std::size_t>(widths.rend() - last);
  for (std::size_t column = 0; column < shown; ++column) {
    if (widths[column] == 0) continue;
    if (column > 0) line.append(kGap, ' ');
    std::string field = set_in(cells[column].text, widths[column], columns_[column].align);
    if (column + 1 == shown) trim_end(field);
    line += paint(cells[column].style, field);
  }
  trim_end(line);
  return line + "\n";
}

std::string Table::render(std::size_t width, const Paint& paint) const {
  if (columns_.empty() || rows_.empty()) return "";
  const std::vector<std::size_t> widths = fit(width);
  std::vector<Cell> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back({column.title, Style::Faint});
  std::string text = render_row(titles, widths, paint);
  for (const Row& row : rows_) {
    text += render_row(row.cells, widths, paint);
    for (const Cell& note : row.notes) {
      const std::size_t room = width > kRowNoteIndent ? width - kRowNoteIndent : 1;
      text +=
          std::string(kRowNoteIndent, ' ') + paint(note.style, cut_right(note.text, room)) + "\n";
    }
  }
  return text;
}

}  // namespace sightline::profile
