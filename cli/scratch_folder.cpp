#include "cli/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace sightline::cli {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code none;
  fs::path parent = fs::temp_directory_path(none);
  if (none) parent = "/tmp";
  std::string path = (parent / "sightline-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    return Error{ErrorKind::Io, "no folder could be made in " + parent.string() + ": " +
                                    std::strerror(errno) +
                                    "\nTMPDIR names a folder that can be written"};
  }
  return ScratchFolder(path);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  std::error_code failed;
  if (!path_.empty()) fs::remove_all(path_, failed);
}

}  // namespace sightline::cli
