// Which boxes a flame graph has, and where they begin. Amounts only; pixels come later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/weight_tree.h"

namespace sightline::exports {

struct FlameBox {
  std::size_t depth = 0;     // 0 is the whole
  std::uint64_t start = 0;   // amount to the left of it
  std::uint64_t amount = 0;  // never 0
  std::string name;
  std::string place;      // "model.py:12", empty for what is no line
  std::string_view tint;  // the name of a kind of cost, or one of the following
};
inline constexpr std::string_view kTintWhole = "whole";
inline constexpr std::string_view kTintProject = "project";
inline constexpr std::string_view kTintLibrary = "library";
inline constexpr std::string_view kTintSmall = "small";

// Parents before children. A box lies within the one it was called from. Boxes below a thousandth
// of the whole that have the same caller are put together to one, the last beside their siblings.
// Empty if the whole is 0.
std::vector<FlameBox> lay_out_flames(const WeightTree& weights, const profile::CallTree& tree);

}  // namespace sightline::exports
