// What the terminal can show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace sightline::cli {

enum class ColorWhen { Auto, Always, Never };

std::optional<ColorWhen> color_when_named(const std::string& name);

// Whether to write colour to that descriptor. `Auto`: only to a terminal that can show it, and
// not if NO_COLOR is set in the environment (https://no-color.org).
bool use_color(ColorWhen when, int descriptor);

// Columns of the terminal, or 100 if the descriptor is none.
std::size_t terminal_width(int descriptor);

}  // namespace sightline::cli
