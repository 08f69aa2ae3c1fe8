// What `sightline measure` is to measure, as it is typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/entry_options.h"
#include "core/base/result.h"
#include "worker/measuring.h"

namespace sightline::cli {

struct MeasureTarget {
  std::string typed;                // ENTRY.py, FILE.py:NAME or package.module:NAME
  std::vector<std::string> inputs;  // of --input
  RunningOptions running;
  std::optional<std::uint64_t> repetitions;
  bool no_backward = false;
  bool evaluation = false;
};

// All of a request but for the command. Fails with InvalidArgument unless the target can be looked
// for, and the inputs belong to it: an entry point makes its own, what else is named needs some.
Result<worker::MeasureRequest> request_of(const MeasureTarget& target);

}  // namespace sightline::cli
