// Which line of a text is which line of the text after an edit.
//
// A line that is the same but for the white space around it is found by a diff: common beginning
// and end, then lines that occur once in each text (patience), then the shortest edit between those
// (Myers). What was removed and put in between two such lines is paired where it is alike (see
// line_likeness.h). The mapping never crosses itself: a later line maps to a later line.
//
// Deterministic. Time and memory grow with the texts, not with their product: what would take
// longer is left unmatched. Any bytes will do.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sightline::profile {

// Lines count from 1; 0 stands for none.
class LineMap {
 public:
  static LineMap same();  // every line maps to itself
  static LineMap of(std::vector<std::uint32_t> after_by_line);

  std::uint32_t after(std::uint32_t line) const {
    if (same_) return line;
    return line > 0 && line <= after_.size() ? after_[line - 1] : 0;
  }

 private:
  bool same_ = false;
  std::vector<std::uint32_t> after_;
};

LineMap match_lines(std::string_view before, std::string_view after);

}  // namespace sightline::profile
