// The kinds of work as the run file names them. For this room only.
#pragma once

#include <array>
#include <string_view>

#include "core/model/measurement.h"

namespace sightline::store {

struct WorkKind {
  std::string_view name;
  model::PassNumbers model::Work::*numbers;
};

inline constexpr std::array<WorkKind, 4> kWorkKinds = {{
    {"macs", &model::Work::macs},
    {"effective_macs", &model::Work::effective_macs},
    {"flops", &model::Work::flops},
    {"bytes", &model::Work::bytes},
}};

}  // namespace sightline::store
