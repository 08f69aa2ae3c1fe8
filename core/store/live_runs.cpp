#include "core/store/live_runs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace sightline::store {
namespace {

struct Entry {
  dev_t device;
  ino_t inode;
  pid_t process;
  bool operator==(const Entry&) const = default;
};

std::mutex& mutex() {
  static std::mutex instance;
  return instance;
}

std::vector<Entry>& entries() {
  static auto* instance = new std::vector<Entry>;  // writers may outlive static objects
  return *instance;
}

}  // namespace

LiveRun::LiveRun(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  device_ = status.st_dev;
  inode_ = status.st_ino;
  const std::lock_guard lock(mutex());
  entries().push_back({device_, inode_, ::getpid()});
}

LiveRun::~LiveRun() {
  const std::lock_guard lock(mutex());
  auto& all = entries();
  const auto mine = std::find(all.begin(), all.end(), Entry{device_, inode_, ::getpid()});
  if (mine != all.end()) all.erase(mine);
}

bool is_live_here(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const std::lock_guard lock(mutex());
  const Entry entry{status.st_dev, status.st_ino, ::getpid()};
  return std::find(entries().begin(), entries().end(), entry) != entries().end();
}

}  // namespace sightline::store
