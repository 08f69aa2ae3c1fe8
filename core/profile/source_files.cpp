#include "core/profile/source_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/file_text.h"
#include "core/base/text_hash.h"
#include "core/profile/report/safe_text.h"

namespace sightline::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxSourceBytes = 4u << 20;
constexpr std::array<std::string_view, 2> kPackageFolders = {"site-packages", "dist-packages"};

// The path below `folder`, by components; empty if it is not below it.
std::string below(const std::string& path, const std::string& folder) {
  if (folder.empty() || path.size() <= folder.size() + 1) return {};
  if (path.compare(0, folder.size(), folder) != 0 || path[folder.size()] != '/') return {};
  return path.substr(folder.size() + 1);
}

bool is_in_package_folder(const std::string& path) {
  return std::any_of(kPackageFolders.begin(), kPackageFolders.end(), [&](std::string_view name) {
    return path.find("/" + std::string(name) + "/") != std::string::npos;
  });
}

// A folder that holds pyvenv.cfg, somewhere between root and file, makes the file a library's.
bool is_in_environment(const std::string& path, const std::string& root) {
  std::error_code ignored;
  for (fs::path folder = fs::path(path).parent_path(); folder.string().size() > root.size();
       folder = folder.parent_path()) {
    if (fs::exists(folder / "pyvenv.cfg", ignored)) return true;
  }
  return false;
}

// Code that somebody typed in: a notebook's cell, or a prompt.
bool is_typed_code(const std::string& name) {
  return name == "<stdin>" || name.starts_with("<python-input-") ||
         name.starts_with("<ipython-input-") || name.find("/ipykernel_") != std::string::npos;
}

// Code that a program made: it has a name such as <generated>, but no file.
bool is_generated_code(const std::string& name) { return name.starts_with('<'); }

void make_absolute(std::string& path) {
  if (path.empty() || path.front() == '/' || path.front() == '<') return;
  std::error_code ignored;
  const fs::path absolute = fs::absolute(path, ignored).lexically_normal();
  if (fs::exists(absolute, ignored)) path = absolute.string();
}

std::string read_text(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > kMaxSourceBytes) return {};
  return file_text(path).value_or("");
}

}  // namespace

SourceFiles::SourceFiles(SourceOptions options) : options_(std::move(options)) {
  // The innermost folder names a file best: site-packages before the standard library around it.
  std::sort(options_.library_dirs.begin(), options_.library_dirs.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

void SourceFiles::describe(model::File& file) const {
  if (is_typed_code(file.absolute_path)) {
    file.path = file.absolute_path.substr(file.absolute_path.rfind('/') + 1);
    file.role = model::FileRole::Project;
    return;
  }
  make_absolute(file.absolute_path);
  const std::string& path = file.absolute_path;
  file.path = path;
  for (const std::string& folder : options_.library_dirs) {
    const std::string relative = below(path, folder);
    // A project may live below the folder that a library lives in; then it is the project's.
    if (relative.empty() || !below(options_.root, folder).empty()) continue;
    file.path = relative;
    const std::string package = relative.substr(0, relative.find_first_of("/."));
    const bool is_included = std::find(options_.included.begin(), options_.included.end(),
                                       package) != options_.included.end();
    file.role = is_included ? model::FileRole::Included : model::FileRole::Library;
    return;
  }
  const std::string relative = below(path, options_.root);
  if (relative.empty()) return;
  file.path = relative;
  if (is_in_package_folder("/" + relative) || is_in_environment(path, options_.root)) return;
  file.role = model::FileRole::Project;
}

void SourceFiles::complete(model::Delta& delta) {
  for (model::File& file : delta.files) {
    describe(file);
    if (!options_.keep_source) continue;
    const bool generated = is_generated_code(file.absolute_path);
    if (file.role == model::FileRole::Library && !generated) continue;
    std::string text = generated ? std::string() : read_text(file.absolute_path);
    if (text.empty()) {
      without_text_.push_back(file);
    } else {
      keep(std::move(text), file, delta);
    }
  }
}

std::vector<std::string> SourceFiles::names_without_text() const {
  std::vector<std::string> names;
  for (const model::File& file : without_text_) {
    const std::string& name = file.absolute_path;
    if (valid_utf8(name) == name) names.push_back(name);
  }
  return names;
}

void SourceFiles::add_texts(const std::map<std::string, std::string>& texts, model::Delta& delta) {
  for (model::File& file : without_text_) {
    const auto text = texts.find(file.absolute_path);
    if (text == texts.end() || text->second.empty() || text->second.size() > kMaxSourceBytes) {
      continue;
    }
    keep(text->second, file, delta);
    delta.files.push_back(file);
  }
}

void SourceFiles::keep(std::string text, model::File& file, model::Delta& delta) {
  file.source_hash = text_hash(text);
  if (kept_.insert(file.source_hash).second) {
    delta.sources.push_back({file.source_hash, std::move(text)});
  }
}

}  // namespace sightline::profile
