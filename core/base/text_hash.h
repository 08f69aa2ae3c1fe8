// A name for a text by its content: 128 bits as 32 hexadecimal digits (FNV-1a). Not against
// forgers: it tells versions of a source file apart.
#pragma once

#include <string>
#include <string_view>

#include "core/base/export.h"

namespace sightline {

SIGHTLINE_API std::string text_hash(std::string_view text);

}  // namespace sightline
