// Whether somebody writes to a run file. Looked at from outside, so that it takes no time.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sightline::server {

class RunGrowth {
 public:
  // From as it is now.
  explicit RunGrowth(std::filesystem::path file);

  // Since the last time.
  bool has_grown();

 private:
  struct State {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type written;
    friend bool operator==(const State&, const State&) = default;
  };
  State state() const;

  std::filesystem::path file_;
  State last_;
};

// It or its journal; the beginning of time if it is gone.
std::filesystem::file_time_type last_written(const std::filesystem::path& file);

// Whether it was written to a moment ago. One that was left unfinished long ago grows no more.
bool was_written_lately(const std::filesystem::path& file);

}  // namespace sightline::server
