// A folder for what is of no use later. Gone with this object.
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace sightline::cli {

class ScratchFolder {
 public:
  // Readable for this user only. Removes those of processes that were killed. Fails with Io.
  static Result<ScratchFolder> make();
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty: there is none
};

}  // namespace sightline::cli
