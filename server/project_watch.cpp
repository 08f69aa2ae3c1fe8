#include "server/project_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "server/relevant_files.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kChanged =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr std::size_t kBufferBytes = 64 * 1024;

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

}  // namespace

ProjectWatch::ProjectWatch(fs::path root, int descriptor)
    : root_(std::move(root)), descriptor_(descriptor) {}

Result<std::unique_ptr<ProjectWatch>> ProjectWatch::start(fs::path root) {
  const int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) {
    return Error{ErrorKind::Io, std::string("files cannot be watched: ") + std::strerror(errno)};
  }
  std::unique_ptr<ProjectWatch> watch(new ProjectWatch(std::move(root), descriptor));
  watch->watch_tree("");
  return watch;
}

ProjectWatch::~ProjectWatch() { close(descriptor_); }

void ProjectWatch::watch_tree(const std::string& folder) {
  const fs::path path = root_ / folder;
  if (!folder.empty() && is_foreign_folder(path)) return;
  const int watch = inotify_add_watch(descriptor_, path.c_str(),
                                      kChanged | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK);
  if (watch < 0) {
    if (errno == ENOSPC || errno == ENOMEM) complete_ = false;
    return;
  }
  folders_[watch] = folder;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(path, gone)) {
    std::error_code unknown;
    if (entry.is_directory(unknown) && !entry.is_symlink(unknown)) {
      watch_tree(joined(folder, entry.path().filename().string()));
    }
  }
}

void ProjectWatch::forget_tree(const std::string& folder) {
  std::erase_if(folders_, [&](const auto& entry) {
    if (entry.second != folder && !entry.second.starts_with(folder + "/")) return false;
    inotify_rm_watch(descriptor_, entry.first);
    return true;
  });
}

Changes ProjectWatch::read() {
  Changes changes;
  alignas(inotify_event) std::array<char, kBufferBytes> buffer{};
  while (true) {
    const ssize_t size = ::read(descriptor_, buffer.data(), buffer.size());
    if (size <= 0) break;
    for (ssize_t at = 0; at < size;) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof(event));
      const char* name = buffer.data() + at + sizeof(event);
      take(event.wd, event.mask, event.len > 0 ? std::string(name) : "", changes);
      at += static_cast<ssize_t>(sizeof(event) + event.len);
    }
  }
  if (changes.anything) watch_tree("");
  return changes;
}

void ProjectWatch::take(int watch, std::uint32_t what, const std::string& name, Changes& changes) {
  if ((what & IN_Q_OVERFLOW) != 0) changes.anything = true;
  if ((what & IN_IGNORED) != 0) folders_.erase(watch);
  const auto folder = folders_.find(watch);
  if (folder == folders_.end() || name.empty()) return;
  const std::string path = joined(folder->second, name);
  if ((what & IN_ISDIR) != 0) {
    if ((what & (IN_MOVED_FROM | IN_DELETE)) != 0) forget_tree(path);
    if ((what & (IN_CREATE | IN_MOVED_TO)) != 0) watch_tree(path);
  }
  changes.paths.push_back(path);
}

}  // namespace sightline::server
