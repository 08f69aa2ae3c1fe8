// A folder that a test may fill. It is removed with everything in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace sightline {

class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sightline-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  std::filesystem::path file(const std::string& name, const std::string& text) const {
    const std::filesystem::path made = path_ / name;
    std::filesystem::create_directories(made.parent_path());
    std::ofstream(made, std::ios::binary) << text;
    return made;
  }

  std::filesystem::path program(const std::string& name, const std::string& text) const {
    const std::filesystem::path made = file(name, text);
    std::filesystem::permissions(made, std::filesystem::perms::all);
    return made;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace sightline
