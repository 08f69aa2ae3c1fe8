// Colour for a terminal, or none.
#pragma once

#include <string>
#include <string_view>

namespace sightline::profile {

enum class Style {
  Plain,
  Strong,
  Faint,
  Data,
  Forward,
  Backward,
  Optimizer,
  Other,
  Warm,
  Hot,
  Better,
  Worse,
};

class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}

  bool color() const { return color_; }

  std::string operator()(Style style, std::string_view text) const {
    if (!color_ || style == Style::Plain || text.empty()) return std::string(text);
    return std::string("\x1b[").append(code(style)).append("m").append(text).append("\x1b[0m");
  }

 private:
  static constexpr std::string_view code(Style style) {
    switch (style) {
      case Style::Plain:
        return "0";
      case Style::Strong:
        return "1";
      case Style::Faint:
        return "2";
      case Style::Data:
        return "35";
      case Style::Forward:
        return "34";
      case Style::Backward:
        return "36";
      case Style::Optimizer:
        return "32";
      case Style::Other:
        return "37";
      case Style::Warm:
        return "33";
      case Style::Hot:
        return "1;31";
      case Style::Better:
        return "32";
      case Style::Worse:
        return "31";
    }
    return "0";
  }

  bool color_;
};

}  // namespace sightline::profile
