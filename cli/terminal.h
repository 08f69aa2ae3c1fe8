// What the terminal can show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::cli {

enum class ColorWhen { Auto, Always, Never };

std::optional<ColorWhen> color_when_named(const std::string& name);

// Whether to write colour to that descriptor. `Auto`: only to a terminal that can show it, and
// not if NO_COLOR is set in the environment (https://no-color.org).
bool use_color(ColorWhen when, int descriptor);

// Whether a locale shows UTF-8, by the values of LC_ALL, LC_CTYPE and LANG: the first that is not
// empty decides. If all are empty it is assumed: containers set none of them, and terminals do.
bool locale_has_utf8(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang);

// The same for the environment of this process.
bool can_show_utf8();

// Columns of the terminal, or 100 if the descriptor is none.
std::size_t terminal_width(int descriptor);

}  // namespace sightline::cli
