// Names and source lines of a run file come from anywhere. Here they become text that neither
// breaks JSON nor steers a terminal, and that a table can align.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sightline {

// The text with every byte that is not UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

// Valid UTF-8 on one line, with everything a terminal would act on written out: control characters
// (escape sequences begin with one), bidirectional overrides, line separators. A tab is a blank.
std::string printable(std::string_view text);

// The text for a terminal that shows nothing but ASCII. Every character keeps its columns: those
// that reports draw with become their likes, others become question marks.
std::string in_ascii(std::string_view text);

// How many columns printable text takes: none for a combining mark, two for wide characters.
std::size_t display_width(std::string_view text);

// Printable text cut to so many columns, with an ellipsis in place of what is left out.
std::string cut_right(std::string_view text, std::size_t width);  // keeps the beginning
std::string cut_left(std::string_view text, std::size_t width);   // keeps the end

// Printable text in lines of at most that many columns, broken at blanks where there are any.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace sightline
