// Time in integer nanoseconds since the process first asked. Cheap enough to read twice for every
// operator: the processor's time-stamp counter where it is invariant, the system's monotonic clock
// elsewhere. Safe from any thread.
#pragma once

#include <cstdint>

#include "core/base/export.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace sightline {

class SIGHTLINE_API Clock {
 public:
  static std::uint64_t now_ns() {
#if defined(__x86_64__)
    if (kCalibration.ns_per_tick_q32 != 0) {
      const std::uint64_t ticks = __rdtsc() - kCalibration.base;
      return static_cast<std::uint64_t>((static_cast<Wide>(ticks) * kCalibration.ns_per_tick_q32) >>
                                        32);
    }
#endif
    return system_ns() - kCalibration.base;
  }

  // Whether the time-stamp counter is in use; for `sightline doctor`.
  static bool uses_tsc() { return kCalibration.ns_per_tick_q32 != 0; }

 private:
  __extension__ using Wide = unsigned __int128;
  struct Calibration {
    std::uint64_t base = 0;             // ticks or nanoseconds at the start
    std::uint64_t ns_per_tick_q32 = 0;  // 32.32 fixed point; 0: the system clock is used
  };

  static std::uint64_t system_ns();
  static Calibration calibrate();

  // Made when the library is loaded: one for all that link to it.
  static const Calibration kCalibration;
};

}  // namespace sightline
