// An event file of TensorBoard that grows while a training runs.
//
// What is added is on disk after flush(), or within about two seconds of further additions; the
// rest when the writer goes. One thread at a time. In a forked child nothing is written.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/export/tensorboard.h"

namespace sightline::exports {

class SIGHTLINE_API EventWriter {
 public:
  // Makes the folder, and in it a file of a new name. Fails if one of them cannot be made.
  static Result<EventWriter> open(const std::filesystem::path& folder);

  EventWriter(EventWriter&& other) noexcept;
  EventWriter& operator=(EventWriter&&) = delete;
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  ~EventWriter();

  const std::filesystem::path& path() const { return path_; }

  Result<void> add_scalar(std::string_view tag, std::uint64_t step, double value);
  // `edges` has one more than `counts`.
  Result<void> add_histogram(std::string_view tag, std::uint64_t step, std::vector<double> edges,
                             std::vector<std::uint64_t> counts);
  Result<void> flush();

 private:
  using Clock = std::chrono::steady_clock;

  EventWriter(std::filesystem::path path, int file, double wall_seconds);
  Result<void> flush_if_due();

  std::filesystem::path path_;
  int file_;
  pid_t owner_;
  EventFile events_;
  Clock::time_point flushed_;
};

}  // namespace sightline::exports
