// The folders that Python packages are installed into: whoever has imported from them is out of
// date when something was installed or removed since.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

namespace sightline::server {

class PackageFolders {
 public:
  PackageFolders() = default;
  explicit PackageFolders(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) looks_[folder] = changed_at(folder);
  }

  bool changed() const {
    for (const auto& [folder, at] : looks_) {
      if (changed_at(folder) != at) return true;
    }
    return false;
  }

 private:
  using Time = std::filesystem::file_time_type;
  static Time changed_at(const std::string& folder) {
    std::error_code gone;
    const Time at = std::filesystem::last_write_time(folder, gone);
    return gone ? Time{} : at;
  }

  std::map<std::string, Time> looks_;
};

}  // namespace sightline::server
