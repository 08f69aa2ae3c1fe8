// One training step, and the figures of a whole run that are not tied to a line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/cost.h"

namespace sightline::model {

enum class StepRole : std::uint8_t {
  Warmup,      // one of the first steps: left out of means
  Counted,     // observed; its costs are in the sums
  Unobserved,  // run with the observers off, to know what they cost
};
inline constexpr std::size_t kStepRoles = 3;

constexpr std::string_view name_of(StepRole role) {
  constexpr std::array<std::string_view, kStepRoles> kNames = {"warmup", "counted", "unobserved"};
  return kNames[static_cast<std::size_t>(role)];
}

struct Step {
  std::uint64_t index = 0;
  StepRole role = StepRole::Counted;
  std::uint64_t start_ns = 0;                       // since the recording began
  std::uint64_t wall_ns = 0;                        // without evaluation
  std::uint64_t evaluation_ns = 0;                  // between its start and its end
  std::array<std::uint64_t, kCostKinds> kind_ns{};  // sums to wall_ns if observed
  std::uint64_t operators = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t peak_bytes = 0;
};

// wall_ns and kind_ns are sums over the counted steps, in integers: kind_ns sums to wall_ns, and so
// do the costs of the training thread. The rest is about the whole recording.
struct Totals {
  std::uint64_t steps = 0;       // all that were seen
  bool whole_recording = false;  // no step was seen: all of it is given as one
  std::uint64_t counted_steps = 0;
  std::uint64_t wall_ns = 0;
  std::array<std::uint64_t, kCostKinds> kind_ns{};
  std::uint64_t evaluation_ns = 0;   // all of it, after the last step too; in no step's wall_ns
  double overhead_percent = 0;       // what observing costs: median over pairs of steps
  std::uint64_t overhead_pairs = 0;  // observed steps compared with an unobserved one
  std::uint64_t batch_size = 0;      // leading dimension of what the model was given; 0: unknown
  std::uint64_t step_stride = 1;     // only steps whose index it divides are kept as rows
};

// What a step took at another batch size than that of the recording.
struct BatchSample {
  std::uint64_t batch_size = 0;
  double iteration_ms = 0;           // of the fastest step
  double iteration_noise_ms = 0;     // how much longer the fastest of a few takes on average
  std::uint64_t peak_bytes = 0;      // of the framework's allocator
  std::uint64_t resident_bytes = 0;  // of the whole process
  bool held_out = false;             // measured to check the models, not to make them
};

// A batch size at which steps could not be run.
struct BatchFailure {
  std::uint64_t batch_size = 0;
  std::string what;  // went wrong there, in one line
};

// A range named by the user with record_function. Ranges overlap the costs, they add nothing.
struct NamedRange {
  std::string name;
  std::uint64_t calls = 0;
  std::uint64_t total_ns = 0;
};

// What could not be kept, by kind ("nodes", "events", ...).
struct Drop {
  std::string what;
  std::uint64_t count = 0;
};

}  // namespace sightline::model
