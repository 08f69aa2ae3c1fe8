// The checks of `doctor` that are about the machine.
#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/doctor_checks.h"
#include "core/profile/report/units.h"

namespace sightline::cli {
namespace {

constexpr int kOldestSqlite = 3024000;                     // the run file needs upserts
constexpr std::uint64_t kEnoughDiskBytes = 256ULL << 20U;  // what a recording may take by default
constexpr double kSlowClockNs = 250.0;  // a step of some thousand operators would feel it

double measure_clock_ns() {
  constexpr int kReads = 20000;
  const auto begin = std::chrono::steady_clock::now();
  for (int read = 0; read < kReads - 1; ++read) {
    [[maybe_unused]] const auto now = std::chrono::steady_clock::now();
  }
  const std::chrono::duration<double, std::nano> all = std::chrono::steady_clock::now() - begin;
  return all.count() / kReads;
}

Check check_sqlite() {
  const bool recent = sqlite3_libversion_number() >= kOldestSqlite;
  return {"sqlite", recent, fmt::format("SQLite {}", sqlite3_libversion()),
          recent ? "" : "install SQLite 3.24 or later"};
}

}  // namespace

Check check_disk(std::uint64_t free_bytes) {
  const bool enough = free_bytes >= kEnoughDiskBytes;
  return {"disk", enough,
          fmt::format("{} free in the current folder", profile::format_bytes(free_bytes)),
          enough ? "" : "write runs elsewhere with -o, or give them less with --disk-budget"};
}

Check check_clock(double read_ns) {
  std::string source;
  std::getline(std::ifstream("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
               source);
  const bool quick = read_ns < kSlowClockNs;
  return {"clock", quick,
          fmt::format("{:.0f} ns to read{}", read_ns, source.empty() ? "" : " (" + source + ")"),
          quick ? "" : "recording costs more here; the kernel's clock source tsc would be quicker"};
}

std::vector<Check> check_machine() {
  std::error_code failure;
  const std::filesystem::space_info space =
      std::filesystem::space(std::filesystem::current_path(failure), failure);
  return {check_sqlite(), check_disk(failure ? 0 : space.available),
          check_clock(measure_clock_ns())};
}

}  // namespace sightline::cli
