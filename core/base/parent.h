// A process that is to end with the one that started it.
#pragma once

#include <sys/types.h>

#include "core/base/export.h"

namespace sightline {

// This process is killed when its parent ends; at once if that has ended already. May be called
// between fork and exec.
SIGHTLINE_API void die_with(pid_t parent);

}  // namespace sightline
