// Pairs lines that were rewritten with what they became. Internal to this room.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::profile {

// From 0 to 1: which part of the characters of both lines lies in words and signs they share, each
// counted as often as both have it, in any order. White space does not count, nor what comes after
// the first thousand bytes.
double likeness(std::string_view before, std::string_view after);

inline constexpr double kAlike = 0.5;

// Pairs (index before, index after) that do not cross, are alike by at least kAlike, and have the
// largest sum of likeness. `cells` is what may be spent, in comparisons; it is lowered by what was,
// and if too little is left, no line is paired.
std::vector<std::pair<std::size_t, std::size_t>> pair_alike(
    const std::vector<std::string_view>& before, const std::vector<std::string_view>& after,
    std::size_t& cells);

}  // namespace sightline::profile
