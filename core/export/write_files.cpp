#include "core/export/write_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <list>
#include <string_view>
#include <system_error>

namespace sightline::exports {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& path, int number) {
  return {ErrorKind::Io,
          path.string() + " cannot be written: " + std::generic_category().message(number)};
}

// A folder made for the output. It goes away again if nothing was put into it.
class MadeFolder {
 public:
  explicit MadeFolder(fs::path path) : path_(std::move(path)) {}
  ~MadeFolder() { rmdir(path_.c_str()); }
  MadeFolder(const MadeFolder&) = delete;
  MadeFolder& operator=(const MadeFolder&) = delete;

 private:
  fs::path path_;
};

// A file under a name of its own until `publish`. It goes away if that is not reached.
class UnnamedFile {
 public:
  UnnamedFile(const OutputFile& file, std::size_t number)
      : file_(file),
        // Short, because the name that is wanted may be as long as the disk allows.
        path_(file.path.parent_path() / fmt::format(".sightline-{}-{}.part", getpid(), number)) {}
  ~UnnamedFile() {
    if (made_) unlink(path_.c_str());
  }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  Result<void> write() {
    const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return cannot_write(file_.path, errno);
    made_ = true;
    const int failure = write_all(file, file_.text);
    const int closing = close(file) == 0 ? 0 : errno;
    if (failure != 0) return cannot_write(file_.path, failure);
    if (closing != 0) return cannot_write(file_.path, closing);
    return {};
  }

  Result<void> publish() {
    if (rename(path_.c_str(), file_.path.c_str()) != 0) return cannot_write(file_.path, errno);
    made_ = false;
    return {};
  }

 private:
  // The number of the error, or 0. Some file systems tell only when asked to sync that a disk is
  // full.
  static int write_all(int file, std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(file, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return fsync(file) == 0 || errno == EINVAL ? 0 : errno;
  }

  const OutputFile& file_;
  fs::path path_;
  bool made_ = false;
};

}  // namespace

Result<void> write_files(const std::vector<OutputFile>& files) {
  std::list<MadeFolder> folders;  // before the files, so that it is empty when it is removed
  std::list<UnnamedFile> unnamed;
  for (const OutputFile& file : files) {
    const fs::path folder = file.path.parent_path();
    std::error_code failure;
    if (!folder.empty() && fs::create_directory(folder, failure)) folders.emplace_back(folder);
    if (failure) return cannot_write(folder, failure.value());
    if (Result<void> written = unnamed.emplace_back(file, unnamed.size()).write(); !written) {
      return written;
    }
  }
  for (UnnamedFile& file : unnamed) {
    if (Result<void> published = file.publish(); !published) return published;
  }
  return {};
}

}  // namespace sightline::exports
