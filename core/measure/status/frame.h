// A table in a frame of '+', '-' and '|', every cell set to the right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::measure {

// Columns are as wide as their widest cell, and at least as wide as asked for.
class Frame {
 public:
  Frame(std::string_view title, std::vector<std::size_t> least_widths);

  void add_row(std::vector<std::string> cells);  // one for each column
  void add_rule();
  // Begins with the title between rules and ends with a rule.
  std::string render() const;
  // A rule over the whole width.
  std::string full_rule() const;

 private:
  std::size_t inner_width() const;
  std::string centred_title() const;
  std::string column_rule() const;
  std::string line(const std::vector<std::string>& cells) const;

  std::string title_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;  // without cells: a rule
};

}  // namespace sightline::measure
