// Says which files of a project have changed, while nothing is missed: new folders, files that are
// renamed into place, and what happens faster than it is read. One thread owns it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace sightline::server {

struct Changes {
  std::vector<std::string> paths;  // relative to the root; of files and of folders
  bool anything = false;           // more happened than the system could tell: look at everything
};

class ProjectWatch {
 public:
  // Fails with Io if the system cannot watch at all.
  static Result<std::unique_ptr<ProjectWatch>> start(std::filesystem::path root);
  ~ProjectWatch();
  ProjectWatch(const ProjectWatch&) = delete;
  ProjectWatch& operator=(const ProjectWatch&) = delete;

  // Can be read from when something has changed.
  int descriptor() const { return descriptor_; }
  // What has changed since the last call. Does not wait.
  Changes read();
  // False once the system watches no more folders, which read() may find: then the owner has to
  // look from time to time.
  bool complete() const { return complete_; }

 private:
  ProjectWatch(std::filesystem::path root, int descriptor);
  void watch_tree(const std::string& folder);
  void forget_tree(const std::string& folder);
  void take(int watch, std::uint32_t what, const std::string& name, Changes& changes);

  const std::filesystem::path root_;
  const int descriptor_;
  std::map<int, std::string> folders_;  // by watch; the root is ""
  bool complete_ = true;
};

}  // namespace sightline::server
