// The lines two stretches have in common, in order, as many as can be (Myers' diff). Internal to
// this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sightline::profile {

// Numbers that stand for lines. Refers to them.
struct Stretch {
  const std::uint32_t* lines = nullptr;
  std::int64_t size = 0;
};

// Pairs (index before, index after) of equal lines. `work` is what may be spent; it is lowered by
// what was, and if it does not suffice, or the edit is longer than some thousand lines, there are
// no pairs.
std::vector<std::pair<std::int64_t, std::int64_t>> common_lines(Stretch before, Stretch after,
                                                                std::int64_t& work);

}  // namespace sightline::profile
