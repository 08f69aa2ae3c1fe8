// Timelines of sampled steps, made from run files when they are asked for. The last one is kept.
// One thread owns it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "server/audience.h"

namespace sightline::server {

class TimelineCache {
 public:
  // Without a step, of the last that was sampled. Fails if the run cannot be read, or has no such
  // step.
  Result<Message> find(const std::filesystem::path& run, std::optional<std::uint64_t> step);

 private:
  std::filesystem::path run_;
  std::optional<std::uint64_t> step_;
  Message timeline_;  // null: none is kept
};

}  // namespace sightline::server
