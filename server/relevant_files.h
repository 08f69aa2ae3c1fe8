// Which files of a project can change what its training does.
#pragma once

#include <filesystem>
#include <string_view>

namespace sightline::server {

// Hidden folders, caches, virtual environments and installed packages are not the user's work.
bool is_foreign_folder(const std::filesystem::path& folder);

bool is_python(std::string_view name);
// Python files, settings, sources of extensions, and data as text. What editors leave while they
// save is none of these.
bool is_relevant(std::string_view name);

}  // namespace sightline::server
