// The figures of a check as text. For this room only.
#pragma once

#include <string>

#include "core/gate/gate.h"

namespace sightline::gate {

struct CheckWords {
  std::string base;
  std::string now;
  std::string change;  // "+4.4 %"; empty if the base is 0
  std::string limit;   // "at most +5%"
};

CheckWords words_of(const Check& check);

}  // namespace sightline::gate
