// The runs that this process is recording. For this room only; safe on any thread.
//
// POSIX gives up all of a process's locks on a file as soon as the process closes any descriptor of
// it. A run that is recorded here must therefore be opened by nobody but SQLite, which knows.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace sightline::store {

// Registers a file for as long as it lives.
class LiveRun {
 public:
  explicit LiveRun(const std::filesystem::path& path);
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

 private:
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

bool is_live_here(const std::filesystem::path& path);

}  // namespace sightline::store
