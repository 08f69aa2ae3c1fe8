#include "server/project_files.h"

#include <sys/stat.h>

#include <functional>
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

// Links to folders, and folders that are not the user's work, are passed over.
void each_file(const fs::path& folder, const std::function<void(const fs::path&)>& work) {
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone)) {
    std::error_code unknown;
    if (at->is_regular_file(unknown)) {
      work(at->path());
    } else if (at->is_directory(unknown) && !at->is_symlink(unknown) &&
               !is_foreign_folder(at->path())) {
      each_file(at->path(), work);
    }
  }
}

}  // namespace

ProjectFiles::ProjectFiles(fs::path root) : root_(std::move(root)) {}

void ProjectFiles::scan() {
  std::erase_if(files_, [&](const auto& entry) {
    std::error_code unknown;
    return !fs::is_regular_file(root_ / entry.first, unknown) &&
           !is_overlooked(entry.first, entry.second);
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

void ProjectFiles::add_own_output(const std::string& path) {
  if (path.ends_with('/') || is_relevant(fs::path(path).filename().string())) {
    own_output_.insert(path);
  }
}

void ProjectFiles::overlook_own_output() {
  for (auto& [path, known] : files_) {
    if (is_own_output(path)) known.looks = looks_of(root_ / path).value_or(Looks{});
  }
  const auto add = [this](const fs::path& file) {
    if (!is_relevant(file.filename().string())) return;
    if (const std::optional<Looks> looks = looks_of(file)) {
      files_.try_emplace(relative(file), Known{*looks, ""});
    }
  };
  for (const std::string& path : own_output_) {
    if (path.ends_with('/')) {
      each_file(root_ / path, add);
    } else {
      add(root_ / path);
    }
  }
}

std::string ProjectFiles::relative(const fs::path& file) const {
  return file.lexically_relative(root_).generic_string();
}

// Itself, or a folder that it is in.
bool ProjectFiles::is_own_output(const std::string& path) const {
  if (own_output_.contains(path)) return true;
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    if (own_output_.contains(path.substr(0, end + 1))) return true;
  }
  return false;
}

// Gone, and known to be.
bool ProjectFiles::is_overlooked(const std::string& path, const Known& known) const {
  return known.looks == Looks{} && is_own_output(path);
}

std::string ProjectFiles::key() const {
  std::string all;
  for (const auto& [path, known] : files_) {
    if (!known.hash.empty()) all += path + '\0' + known.hash + '\0';
  }
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
  each_file(folder, [&](const fs::path& file) { look_at_file(file, read_again); });
}

void ProjectFiles::look_at_file(const fs::path& file, bool read_again) {
  const std::string path = relative(file);
  if (!is_relevant(file.filename().string())) return;
  const std::optional<Looks> looks = looks_of(file);
  if (!looks) return forget_below(path);
  Known& known = files_[path];
  if ((!read_again || is_own_output(path)) && known.looks == *looks) return;
  known.looks = *looks;
  known.hash = looks->size <= kMostBytesRead
                   ? text_hash(file_text(file).value_or(""))
                   : std::to_string(looks->size) + "@" + std::to_string(looks->changed_ns);
}

std::optional<ProjectFiles::Looks> ProjectFiles::looks_of(const fs::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) return std::nullopt;
  return Looks{facts.st_ino, static_cast<std::uint64_t>(facts.st_size),
               facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec};
}

void ProjectFiles::forget_below(const std::string& path) {
  std::erase_if(files_, [&](const auto& entry) {
    const bool is_below = entry.first == path || entry.first.starts_with(path + "/");
    return is_below && !is_overlooked(entry.first, entry.second);
  });
}

}  // namespace sightline::server
