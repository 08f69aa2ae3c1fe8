#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

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

bool locale_has_utf8(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang) {
  const std::string_view locale = !lc_all.empty() ? lc_all : !lc_ctype.empty() ? lc_ctype : lang;
  std::string letters;
  for (const char c : locale) {
    if (c != '-') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return locale.empty() || letters.find("utf8") != std::string::npos;
}

bool can_show_utf8() {
  return locale_has_utf8(variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG"));
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  if (isatty(descriptor) != 1 || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kDefaultWidth;
  }
  return std::clamp<std::size_t>(size.ws_col, kSmallestWidth, kLargestWidth);
}

}  // namespace sightline::cli
