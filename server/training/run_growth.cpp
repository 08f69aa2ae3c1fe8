#include "server/training/run_growth.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <utility>

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

// A training may take long for a step.
constexpr std::chrono::minutes kLately{2};

// While a run is recorded it has a journal beside it.
std::array<fs::path, 2> parts_of(const fs::path& file) {
  fs::path journal = file;
  journal += "-wal";
  return {file, journal};
}

fs::file_time_type time_of(const fs::path& file) {
  std::error_code problem;
  const fs::file_time_type time = fs::last_write_time(file, problem);
  return problem ? fs::file_time_type::min() : time;
}

}  // namespace

RunGrowth::RunGrowth(fs::path file) : file_(std::move(file)), last_(state()) {}

bool RunGrowth::has_grown() {
  const State now = state();
  return std::exchange(last_, now) != now;
}

RunGrowth::State RunGrowth::state() const {
  State state{0, last_written(file_)};
  for (const fs::path& part : parts_of(file_)) {
    std::error_code problem;
    const std::uintmax_t bytes = fs::file_size(part, problem);
    if (!problem) state.bytes += bytes;
  }
  return state;
}

fs::file_time_type last_written(const fs::path& file) {
  const auto parts = parts_of(file);
  return std::max(time_of(parts[0]), time_of(parts[1]));
}

bool was_written_lately(const fs::path& file) {
  return last_written(file) > fs::file_time_type::clock::now() - kLately;
}

}  // namespace sightline::server
