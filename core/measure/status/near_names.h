// Names that a mistyped one may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sightline::measure {

// Those among `known` that are a few typing errors away, the nearest first. A typing error is a
// letter too many, missing or wrong, or two that changed places.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known);

}  // namespace sightline::measure
