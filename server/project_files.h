// What the files of a project say, as one key: the same files with the same texts have the same
// key, whenever and however they were written. One thread owns it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sightline::server {

class ProjectFiles {
 public:
  explicit ProjectFiles(std::filesystem::path root);

  // Looks at everything; files that look as before are not read again.
  void scan();
  // Reads these again, relative to the root: files, or folders with all that is in them. Names that
  // are of no file any more are forgotten.
  void look_at(const std::vector<std::string>& paths);
  // The project's own code writes this file, or all of this folder if its name ends with a slash.
  void add_own_output(const std::string& path);
  // What has become of its own output by now is no news, and leaves the key as it is.
  void overlook_own_output();

  std::string key() const;
  std::vector<std::string> python_files() const;  // by name
  // Whether a change of that name can change the key; it may be a folder's.
  bool is_relevant_path(const std::string& path) const;

 private:
  struct Looks {  // what a file system tells of a file
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const Looks&) const = default;
  };
  struct Known {
    Looks looks;
    std::string hash;  // empty: it has only ever been own output
  };

  std::optional<std::filesystem::path> foreign_folder_of(const std::filesystem::path& path) const;
  bool is_own_output(const std::string& path) const;
  std::string relative(const std::filesystem::path& file) const;
  bool is_overlooked(const std::string& path, const Known& known) const;
  static std::optional<Looks> looks_of(const std::filesystem::path& file);
  void look_at_folder(const std::filesystem::path& folder, bool read_again);
  void look_at_file(const std::filesystem::path& file, bool read_again);
  void forget_below(const std::string& path);

  const std::filesystem::path root_;
  std::map<std::string, Known> files_;  // by path, relative to the root
  std::set<std::string> own_output_;
};

}  // namespace sightline::server
