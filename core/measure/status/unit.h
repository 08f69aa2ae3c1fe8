// Units that name one thing at different scales: MegaMACs and GigaMACs, MiB and bytes.
#pragma once

#include <optional>
#include <string_view>

namespace sightline::measure {

// What a number in the first unit is multiplied by to be one in the second. A unit that is not
// known converts to itself and to nothing else.
std::optional<double> conversion(std::string_view from, std::string_view to);

}  // namespace sightline::measure
