// Lays out rows of text in columns that fit a width.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/profile/report/paint.h"

namespace sightline::profile {

enum class Align {
  Left,   // too long: keeps the beginning
  Right,  // numbers
  Path,   // left, but too long: keeps the end, where paths differ
};

struct Column {
  std::string title;
  Align align = Align::Right;
  bool spare = false;  // left out before those that are not
};

struct Cell {
  std::string text;  // printable (see safe_text.h)
  Style style = Style::Plain;
};

// The first column takes what the width leaves over; the others are as wide as they need. If even
// then it does not fit, columns are left out: spare ones, then the others, each time the last.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> cells);  // as many as there are columns
  void note(Cell text);               // a line of its own beneath the last row, indented
  bool empty() const { return rows_.empty(); }

  std::string render(std::size_t width, const Paint& paint) const;

 private:
  struct Row {
    std::vector<Cell> cells;
    std::vector<Cell> notes;
  };

  std::vector<std::size_t> fit(std::size_t width) const;  // 0 for a column that is left out
  std::optional<std::size_t> next_to_go(const std::vector<std::size_t>& widths) const;
  std::string render_row(const std::vector<Cell>& cells, const std::vector<std::size_t>& widths,
                         const Paint& paint) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

// Text set in a field of that many columns, cut if it is too long.
std::string set_in(const std::string& text, std::size_t width, Align align);

}  // namespace sightline::profile
