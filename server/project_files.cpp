#include "server/project_files.h"

#include <sys/stat.h>

#include <optional>
#include <system_error>
#include <utility>

#include "core/base/file_text.h"
#include "core/base/text_hash.h"
#include "server/relevant_files.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

// A larger file counts by its looks.
constexpr std::uint64_t kMostBytesRead = 4 << 20;

}  // namespace

ProjectFiles::ProjectFiles(fs::path root) : root_(std::move(root)) {}

void ProjectFiles::scan() {
  std::erase_if(files_, [&](const auto& entry) {
    std::error_code unknown;
    return !fs::is_regular_file(root_ / entry.first, unknown);
  });
  look_at_folder(root_, false);
}

void ProjectFiles::look_at(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const fs::path changed = root_ / path;
    std::error_code unknown;
    if (const std::optional<fs::path> foreign = foreign_folder_of(path)) {
      forget_below(foreign->generic_string());
    } else if (fs::is_directory(changed, unknown)) {
      look_at_folder(changed, true);
    } else if (fs::is_regular_file(changed, unknown)) {
      look_at_file(changed, true);
    } else {
      forget_below(path);
    }
  }
}

void ProjectFiles::disregard(const std::string& path) {
  disregarded_.insert(path);
  files_.erase(path);
}

std::string ProjectFiles::key() const {
  std::string all;
  for (const auto& [path, known] : files_) all += path + '\0' + known.hash + '\0';
  return text_hash(all);
}

std::vector<std::string> ProjectFiles::python_files() const {
  std::vector<std::string> names;
  for (const auto& [path, known] : files_) {
    if (is_python(path)) names.push_back(path);
  }
  return names;
}

bool ProjectFiles::is_relevant_path(const std::string& path) const {
  if (disregarded_.contains(path)) return false;
  if (is_relevant(fs::path(path).filename().string())) return true;
  std::error_code unknown;
  if (fs::is_directory(root_ / path, unknown)) return true;
  const auto below = files_.lower_bound(path + "/");
  return below != files_.end() && below->first.starts_with(path + "/");
}

// Itself, or a folder that it is in: an environment is known by a file that comes after it.
std::optional<fs::path> ProjectFiles::foreign_folder_of(const fs::path& path) const {
  fs::path folder;
  for (const fs::path& part : path) {
    folder /= part;
    std::error_code unknown;
    if (fs::is_directory(root_ / folder, unknown) && is_foreign_folder(root_ / folder)) {
      return folder;
    }
  }
  return std::nullopt;
}

void ProjectFiles::look_at_folder(const fs::path& folder, bool read_again) {
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(folder, gone)) {
    std::error_code unknown;
    if (entry.is_directory(unknown)) {
      if (!entry.is_symlink(unknown) && !is_foreign_folder(entry.path())) {
        look_at_folder(entry.path(), read_again);
      }
    } else if (entry.is_regular_file(unknown)) {
      look_at_file(entry.path(), read_again);
    }
  }
}

void ProjectFiles::look_at_file(const fs::path& file, bool read_again) {
  const std::string path = file.lexically_relative(root_).generic_string();
  if (!is_relevant(file.filename().string()) || disregarded_.contains(path)) return;
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) {
    files_.erase(path);
    return;
  }
  const Looks looks = {facts.st_ino, static_cast<std::uint64_t>(facts.st_size),
                       facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec};
  Known& known = files_[path];
  if (!read_again && !known.hash.empty() && known.looks == looks) return;
  known.looks = looks;
  known.hash = looks.size <= kMostBytesRead
                   ? text_hash(file_text(file).value_or(""))
                   : std::to_string(looks.size) + "@" + std::to_string(looks.changed_ns);
}

void ProjectFiles::forget_below(const std::string& path) {
  files_.erase(path);
  std::erase_if(files_, [&](const auto& entry) { return entry.first.starts_with(path + "/"); });
}

}  // namespace sightline::server
