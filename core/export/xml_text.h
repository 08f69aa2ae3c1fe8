// Text that an XML document may hold, whatever bytes it comes from.
#pragma once

#include <string>
#include <string_view>

namespace sightline::exports {

// One line, valid UTF-8, without characters that XML forbids, and with its marks escaped: fit for
// content and for attributes.
std::string xml_text(std::string_view text);

}  // namespace sightline::exports
