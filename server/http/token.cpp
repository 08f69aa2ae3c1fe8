#include "server/http/token.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomBytes = 16;
constexpr std::size_t kDigits = 2 * kRandomBytes;

bool is_token(const std::string& text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Empty if the file is not one to trust.
std::string read_token(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return "";
  struct stat facts {};
  std::array<char, kDigits + 2> buffer{};
  ssize_t size = -1;
  if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
      (facts.st_mode & 077) == 0) {
    size = read(descriptor, buffer.data(), buffer.size());
  }
  close(descriptor);
  std::string text(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (text.ends_with('\n')) text.pop_back();
  return is_token(text) ? text : "";
}

// Writes the token beside its place, and puts it there in one go. What another process put there
// in the meantime stays, if it can be trusted. Returns the token that is there then, or "".
std::string keep(const fs::path& file, const std::string& token) {
  std::string beside = file.string() + ".XXXXXX";
  const int descriptor = mkostemp(beside.data(), O_CLOEXEC);  // with mode 0600
  if (descriptor < 0) return "";
  const std::string line = token + "\n";
  const bool written =
      write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      fsync(descriptor) == 0;
  close(descriptor);
  if (written && link(beside.c_str(), file.c_str()) != 0 && read_token(file).empty()) {
    // A file that cannot be trusted is there, or the file system has no links.
    if (rename(beside.c_str(), file.c_str()) == 0) return read_token(file);
  }
  unlink(beside.c_str());
  return read_token(file);
}

}  // namespace

fs::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return fs::path(state) / "sightline";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') return fs::path(home) / ".local/state/sightline";
  return {};
}

Result<std::string> fresh_token() {
  std::array<unsigned char, kRandomBytes> bytes{};
  ssize_t size = -1;
  do {
    size = getrandom(bytes.data(), bytes.size(), 0);
  } while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(bytes.size())) {
    return Error{ErrorKind::Io, std::string("the system gives no random numbers for a token: ") +
                                    std::strerror(errno)};
  }
  std::string text;
  for (const unsigned byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

Result<Token> kept_token(const fs::path& folder) {
  const fs::path file = folder / "token";
  std::string text = folder.empty() ? "" : read_token(file);
  if (!text.empty()) return Token{text, true};
  Result<std::string> fresh = fresh_token();
  if (!fresh) return fresh.error();
  if (!folder.empty()) {
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    mkdir(folder.c_str(), 0700);
    text = keep(file, fresh.value());
    if (!text.empty()) return Token{text, true};
  }
  return Token{std::move(fresh).value(), false};
}

}  // namespace sightline::server
