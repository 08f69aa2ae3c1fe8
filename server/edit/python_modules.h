// Which file of a project an import names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sightline::server {

class PythonModules {
 public:
  // The folders that an entry point's imports are looked up in, as the worker sets them.
  PythonModules(const std::filesystem::path& entry, std::filesystem::path root);

  // `module` as written in `importer`, with its leading dots. Nothing if it is no file below the
  // root, links followed.
  std::optional<std::filesystem::path> file_of(const std::string& module,
                                               const std::filesystem::path& importer) const;
  bool is_inside(const std::filesystem::path& file) const;
  const std::filesystem::path& root() const { return root_; }

 private:
  const std::filesystem::path root_;
  std::vector<std::filesystem::path> folders_;
};

}  // namespace sightline::server
