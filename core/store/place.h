// Where a run is recorded, when that is not where it shall end up.
//
// A live run needs file locks and shared memory that network file systems do not offer. There, the
// run is recorded in the local temporary directory, and a short text (the signpost) in its place
// says where, so that it can be watched, and found again if the recording process dies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace sightline::store {

// A fresh private folder in the temporary directory, removed with all it holds at the end.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create();

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }
  void keep() { path_.clear(); }  // leaves the folder where it is

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// By the magic number of statfs(2).
bool is_network_file_system(std::uint64_t magic);
bool is_on_network_file_system(const std::filesystem::path& folder);

struct Signpost {
  std::string host;
  std::filesystem::path recording;

  std::string text() const;
  // What `text` says, if it is a signpost.
  static std::optional<Signpost> parse(const std::string& text);
  // True if this machine is the one, and the recording is in a folder made by TemporaryFolder.
  bool is_here() const;
};

std::string host_name();

// `path` with a suffix such as "-wal" appended to its last part.
std::filesystem::path beside(const std::filesystem::path& path, const char* suffix);

// Creates `path`, which must not exist, with `text` in it. The message says what is in the way.
Result<void> create_exclusively(const std::filesystem::path& path, const std::string& text);

// Copies to a neighbour of `to`, then renames over `to`: readers see the old or the new, whole.
Result<void> copy_into_place(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace sightline::store
