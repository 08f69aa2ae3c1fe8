#include "server/edit/source_edit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "core/base/file_text.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& file, int number) {
  return {ErrorKind::Io, file.filename().string() + " cannot be written: " + std::strerror(number)};
}

bool write_all(int descriptor, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return fsync(descriptor) == 0;
}

// A file beside it, under a name that watchers of Python files do not know, until it takes its
// place.
Result<void> replace_content(const fs::path& file, const std::string& text,
                             const struct stat& facts) {
  std::string draft = (file.parent_path() / ("." + file.filename().string() + "-XXXXXX")).string();
  const int descriptor = mkostemp(draft.data(), O_CLOEXEC);
  if (descriptor < 0) return cannot_write(file, errno);
  bool written = write_all(descriptor, text) && fchmod(descriptor, facts.st_mode & 07777) == 0;
  // Only root can give a file away; who edits a file of theirs need not.
  if (written && facts.st_uid != geteuid()) {
    written = fchown(descriptor, facts.st_uid, facts.st_gid) == 0;
  }
  if (written) written = std::rename(draft.c_str(), file.c_str()) == 0;
  const int failure = errno;
  close(descriptor);
  if (written) return {};
  unlink(draft.c_str());
  return cannot_write(file, failure);
}

}  // namespace

Result<void> apply(const SourceEdit& edit) {
  std::error_code gone;
  const fs::path file = fs::canonical(edit.file, gone);
  struct stat facts {};
  if (gone || stat(file.c_str(), &facts) != 0) return cannot_write(edit.file, ENOENT);
  constexpr mode_t kAnyoneWrites = S_IWUSR | S_IWGRP | S_IWOTH;
  if ((facts.st_mode & kAnyoneWrites) == 0 || access(file.c_str(), W_OK) != 0) {
    return Error{ErrorKind::Io, edit.file.filename().string() + " is read-only"};
  }
  if (file_text(file) != edit.before) {
    return Error{ErrorKind::InvalidArgument,
                 edit.file.filename().string() +
                     " was changed by somebody else meanwhile: nothing was written"};
  }
  std::string text = edit.before;
  text.replace(edit.begin, edit.end - edit.begin, edit.replacement);
  return replace_content(file, text, facts);
}

}  // namespace sightline::server
