#include "cli/scratch_folder.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sightline::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kName = "sightline-";

// The process that made it, by its name; 0 if it is none of ours.
pid_t maker_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kName)) return 0;
  pid_t maker = 0;
  const auto [end, problem] =
      std::from_chars(name.data() + kName.size(), name.data() + name.size(), maker);
  return problem == std::errc{} && end != name.data() + name.size() && *end == '-' ? maker : 0;
}

void remove_orphans(const fs::path& parent) {
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(parent, unreadable)) {
    const pid_t maker = maker_of(entry.path());
    if (maker <= 0 || kill(maker, 0) == 0 || errno != ESRCH) continue;
    std::error_code anothers;
    fs::remove_all(entry.path(), anothers);
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::make() {
  std::error_code none;
  fs::path parent = fs::temp_directory_path(none);
  if (none) parent = "/tmp";
  remove_orphans(parent);
  std::string path =
      (parent / (std::string(kName) + std::to_string(getpid()) + "-XXXXXX")).string();
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
