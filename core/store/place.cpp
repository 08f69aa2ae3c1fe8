#include "core/store/place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace sightline::store {
namespace fs = std::filesystem;
namespace {

constexpr char kFolderPrefix[] = "sightline-";
constexpr char kSignpostTitle[] =
    "Sightline records this run in another place, because this file system cannot hold a live one.";

std::string reason(int error) { return std::generic_category().message(error); }

Error io(const std::string& doing, const fs::path& path, int error) {
  return {ErrorKind::Io, "cannot " + doing + " " + path.string() + ": " + reason(error)};
}

bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

bool sync_file(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  errno = error;
  return synced;
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) {
    return Error{ErrorKind::Io, "no temporary directory: " + error.message() +
                                    "; set TMPDIR to a folder that can be written"};
  }
  std::string name = (parent / (std::string(kFolderPrefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return io("make a folder in", parent, errno);
  return TemporaryFolder(name);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

bool is_network_file_system(std::uint64_t magic) {
  constexpr std::array<std::uint64_t, 19> kMagic = {
      0x6969,                                                      // NFS
      0x517B, 0xFF534D42, 0xFE534D42,                              // SMB, CIFS, SMB2
      0x65735546,                                                  // FUSE: sshfs and the like
      0x01021997,                                                  // 9p
      0x0BD00BD0, 0x00C36400, 0x47504653, 0x19830326, 0xAAD7AAEA,  // Lustre, Ceph, GPFS, BeeGFS,
                                                                   // PanFS
      0x7461636F, 0x01161970,                                      // OCFS2, GFS2
      0x5346414F, 0x6B414653, 0x73757245, 0x564C,                  // AFS (two), Coda, NCP
      0x786F4256, 0x6A656A62,                                      // shared folders of VirtualBox
                                                                   // and of Windows (WSL)
  };
  return std::find(kMagic.begin(), kMagic.end(), magic) != kMagic.end();
}

bool is_on_network_file_system(const fs::path& folder) {
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) return false;
  // The field is signed, and some magic numbers have the top bit set.
  return is_network_file_system(static_cast<std::uint32_t>(status.f_type));
}

std::string Signpost::text() const {
  return std::string(kSignpostTitle) + "\nhost: " + host + "\nrecording: " + recording.string() +
         "\n";
}

std::optional<Signpost> Signpost::parse(const std::string& text) {
  const std::string title = std::string(kSignpostTitle) + "\nhost: ";
  const std::string middle = "\nrecording: ";
  if (text.compare(0, title.size(), title) != 0) return std::nullopt;
  const std::size_t split = text.find(middle, title.size());
  if (split == std::string::npos || text.back() != '\n') return std::nullopt;
  const std::size_t start = split + middle.size();
  return Signpost{text.substr(title.size(), split - title.size()),
                  text.substr(start, text.size() - start - 1)};
}

bool Signpost::is_here() const {
  return host == host_name() && recording.is_absolute() &&
         recording.parent_path().filename().string().starts_with(kFolderPrefix);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  return name.data();
}

fs::path beside(const fs::path& path, const char* suffix) {
  fs::path other = path;
  other += suffix;
  return other;
}

Result<void> create_exclusively(const fs::path& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) {
    const int error = errno;
    std::error_code ignored;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (error == EEXIST && fs::is_directory(path, ignored)) {
      return Error{ErrorKind::InvalidArgument,
                   path.string() + " is a folder; give the name of a file, such as " +
                       (path / "run.sightline").string()};
    }
    if (error == EEXIST) {
      return Error{ErrorKind::InvalidArgument,
                   path.string() + " exists already; give another name, or remove it first"};
    }
    if (error == ENOENT && !fs::exists(folder, ignored)) {
      return Error{ErrorKind::NotFound,
                   "the folder " + folder.string() + " does not exist; create it first"};
    }
    if (error == EACCES || error == EROFS || error == EPERM) {
      return Error{ErrorKind::Io, "cannot create " + path.string() + ": " + reason(error) +
                                      "; give a folder that can be written"};
    }
    return io("create", path, error);
  }
  const bool wrote = write_all(file, text);
  const int error = errno;
  ::close(file);
  if (wrote) return {};
  ::unlink(path.c_str());
  return io("write", path, error);
}

Result<void> copy_into_place(const fs::path& from, const fs::path& to) {
  const fs::path part = beside(to, ".part");
  std::error_code error;
  fs::copy_file(from, part, fs::copy_options::overwrite_existing, error);
  // Otherwise a network file system may report a full disk only after the original is gone.
  if (!error && !sync_file(part)) error.assign(errno, std::generic_category());
  if (!error) fs::rename(part, to, error);
  if (!error) return {};
  std::error_code ignored;
  fs::remove(part, ignored);
  return Error{ErrorKind::Io, "cannot copy the run to " + to.string() + ": " + error.message() +
                                  "; it is kept at " + from.string()};
}

}  // namespace sightline::store
