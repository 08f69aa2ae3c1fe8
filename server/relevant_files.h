// Which files of a project can change what its training does.
#pragma once

#include <filesystem>
#include <string_view>

namespace sightline::server {

// Hidden folders, caches, virtual environments and installed packages are not the user's work.
bool is_foreign_folder(const std::filesystem::path& folder);

bool is_python(std::string_view name);
// Python files and files with settings. What editors leave while they save is neither.
bool is_relevant(std::string_view name);

}  // namespace sightline::server
