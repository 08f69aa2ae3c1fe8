// What rules are called, for those who name one on a command line.
#pragma once

#include <array>
#include <string_view>

namespace sightline::supervise {

inline constexpr std::array<std::string_view, 13> kRuleNames = {"vanishing-gradient",
                                                                "exploding-gradient",
                                                                "non-finite",
                                                                "dead-units",
                                                                "saturated-units",
                                                                "update-ratio",
                                                                "poor-initialisation",
                                                                "unchanged-tensor",
                                                                "all-zero-tensor",
                                                                "loss-not-decreasing",
                                                                "overfit",
                                                                "step-time-outliers",
                                                                "growing-memory"};

}  // namespace sightline::supervise
