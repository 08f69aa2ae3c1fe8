// Which keys a status table shows, and in which order.
#pragma once

#include <string>
#include <vector>

#include "core/base/export.h"

namespace sightline::measure {

struct ShownKeys {
  std::vector<std::string> order;  // empty: quality first, then size, work, memory and time
  std::vector<std::string> excluded;
  bool leftovers = true;  // what the order does not name, as registered, after the rest
};

// `secondary` are further results of the evaluation; unless the order names them, they follow the
// main one.
SIGHTLINE_API std::vector<std::string> shown_keys(const std::vector<std::string>& keys,
                                                  const std::vector<std::string>& secondary,
                                                  const ShownKeys& shown);

}  // namespace sightline::measure
