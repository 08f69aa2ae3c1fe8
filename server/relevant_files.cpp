#include "server/relevant_files.h"

#include <algorithm>
#include <array>
#include <system_error>

namespace sightline::server {
namespace {

constexpr std::array<std::string_view, 4> kForeignNames = {"__pycache__", "node_modules",
                                                           "site-packages", "dist-packages"};
constexpr std::array<std::string_view, 2> kEnvironmentMarks = {"pyvenv.cfg", "conda-meta"};
constexpr std::array<std::string_view, 19> kSettingsSourcesAndData = {
    ".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".c",   ".cc",  ".cpp",  ".cu",
    ".cuh",  ".h",   ".hpp",  ".pyx",  ".pxd", ".txt", ".csv", ".tsv", ".jsonl"};

bool has_suffix(std::string_view name, std::string_view suffix) {
  return name.size() > suffix.size() && name.ends_with(suffix);
}

}  // namespace

bool is_foreign_folder(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  if (name.starts_with('.') || name.ends_with(".egg-info")) return true;
  if (std::find(kForeignNames.begin(), kForeignNames.end(), name) != kForeignNames.end()) {
    return true;
  }
  return std::any_of(kEnvironmentMarks.begin(), kEnvironmentMarks.end(), [&](auto mark) {
    std::error_code unknown;
    return std::filesystem::exists(folder / mark, unknown);
  });
}

bool is_python(std::string_view name) { return has_suffix(name, ".py"); }

bool is_relevant(std::string_view name) {
  if (name.starts_with('.') || name.starts_with('#')) return false;
  return is_python(name) ||
         std::any_of(kSettingsSourcesAndData.begin(), kSettingsSourcesAndData.end(),
                     [&](std::string_view suffix) { return has_suffix(name, suffix); });
}

}  // namespace sightline::server
