// The room's own names for the text functions that all rooms share.
#pragma once

#include "core/base/safe_text.h"

namespace sightline::profile {

using sightline::cut_left;
using sightline::cut_right;
using sightline::display_width;
using sightline::in_ascii;
using sightline::printable;
using sightline::valid_utf8;
using sightline::wrapped;

}  // namespace sightline::profile
