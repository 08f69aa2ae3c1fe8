#include "core/base/clock.h"

#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sightline {
namespace {

#if defined(__x86_64__)
bool has_invariant_tsc() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) == 0) return false;
  constexpr unsigned kInvariantTsc = 1u << 8;
  return (edx & kInvariantTsc) != 0;
}
#endif

// Long enough that the two clock readings at its ends matter less than 0.01 %.
[[maybe_unused]] constexpr std::uint64_t kCalibrationNs = 1'000'000;

}  // namespace

const Clock::Calibration Clock::kCalibration = Clock::calibrate();

std::uint64_t Clock::system_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

Clock::Calibration Clock::calibrate() {
  Calibration calibration;
#if defined(__x86_64__)
  if (has_invariant_tsc()) {
    const std::uint64_t first_ns = system_ns();
    const std::uint64_t first_ticks = __rdtsc();
    std::uint64_t last_ns = first_ns;
    while (last_ns - first_ns < kCalibrationNs) last_ns = system_ns();
    const std::uint64_t ticks = __rdtsc() - first_ticks;
    calibration.base = first_ticks;
    calibration.ns_per_tick_q32 =
        static_cast<std::uint64_t>((static_cast<Wide>(last_ns - first_ns) << 32) / ticks);
    return calibration;
  }
#endif
  calibration.base = system_ns();
  return calibration;
}

}  // namespace sightline
