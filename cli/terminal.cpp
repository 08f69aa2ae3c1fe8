#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace sightline::cli {
namespace {

constexpr std::size_t kDefaultWidth = 100;
constexpr std::size_t kSmallestWidth = 40;
constexpr std::size_t kLargestWidth = 160;  // wider tables are hard to follow with the eye

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

std::optional<ColorWhen> color_when_named(const std::string& name) {
  if (name == "auto") return ColorWhen::Auto;
  if (name == "always") return ColorWhen::Always;
  if (name == "never") return ColorWhen::Never;
  return std::nullopt;
}

bool use_color(ColorWhen when, int descriptor) {
  if (when != ColorWhen::Auto) return when == ColorWhen::Always;
  return variable("NO_COLOR").empty() && variable("TERM") != "dumb" && isatty(descriptor) == 1;
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (isatty(descriptor) != 1 || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kDefaultWidth;
  }
  return std::clamp<std::size_t>(size.ws_col, kSmallestWidth, kLargestWidth);
}

}  // namespace sightline::cli
