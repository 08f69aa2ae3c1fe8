#include "server/http/source_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void replace(int number) {
    if (number_ >= 0) close(number_);
    number_ = number;
  }
  int get() const { return number_; }
  bool open() const { return number_ >= 0; }

 private:
  int number_;
};

Error not_found(std::string_view relative) {
  return {ErrorKind::NotFound, "there is no file '" + std::string(relative) + "' in the project"};
}

bool is_plain_name(std::string_view relative) {
  while (true) {
    const std::size_t slash = relative.find('/');
    const std::string_view part = relative.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    const bool odd = std::any_of(part.begin(), part.end(), [](char one) {
      return one == '\\' || static_cast<unsigned char>(one) < 0x20 || one == 0x7F;
    });
    if (odd) return false;
    if (slash == std::string_view::npos) return true;
    relative.remove_prefix(slash + 1);
  }
}

// Where the links lead is found out first; then the way there is walked part by part without
// following any link, so a link that is put there in between leads nowhere. One way for all
// kernels, and unlike openat2 it lets links with an absolute target stay inside.
int open_below(const fs::path& root, const fs::path& file) {
  std::error_code error;
  const fs::path real_root = fs::canonical(root, error);
  if (error) return -1;
  const fs::path real_file = fs::canonical(real_root / file, error);
  if (error) return -1;
  if (!lies_below(real_root, real_file)) return -1;
  Descriptor folder(::open(real_root.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  auto part = std::next(real_file.begin(), std::distance(real_root.begin(), real_root.end()));
  for (; folder.open(); ++part) {
    const bool last = std::next(part) == real_file.end();
    const int flags = last ? O_RDONLY | O_NONBLOCK | O_NOCTTY : O_PATH | O_DIRECTORY;
    const int next = openat(folder.get(), part->c_str(), flags | O_NOFOLLOW | O_CLOEXEC);
    if (last) return next;
    folder.replace(next);
  }
  return -1;
}

}  // namespace

bool lies_below(const fs::path& folder, const fs::path& file) {
  const auto [folder_rest, rest] =
      std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return folder_rest == folder.end() && rest != file.end();
}

Result<std::string> read_below(const fs::path& root, std::string_view relative,
                               std::size_t max_bytes) {
  if (!is_plain_name(relative)) {
    return Error{ErrorKind::InvalidArgument, "a file is named by its way from the project's root"};
  }
  const Descriptor file(open_below(root, fs::path(relative)));
  struct stat facts {};
  if (!file.open() || fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return not_found(relative);
  }
  std::string text;
  std::array<char, 65536> buffer{};
  while (text.size() <= max_bytes) {
    const ssize_t size = read(file.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return not_found(relative);
    if (size == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return Error{ErrorKind::InvalidArgument, "the file '" + std::string(relative) +
                                               "' has more than " + std::to_string(max_bytes) +
                                               " bytes"};
}

}  // namespace sightline::server
