#include "core/export/event_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace sightline::exports {
namespace {

constexpr std::chrono::seconds kFlushEvery{2};

double now_seconds() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

Error failed(const std::string& what, const std::filesystem::path& path) {
  return {ErrorKind::Io, what + " '" + path.string() + "': " + std::strerror(errno)};
}

// TensorBoard takes every file with "tfevents" in its name.
std::string name_of_file(std::uint64_t seconds, unsigned number) {
  return "events.out.tfevents." + std::to_string(seconds) + ".sightline." +
         std::to_string(getpid()) + "." + std::to_string(number);
}

}  // namespace

Result<EventWriter> EventWriter::open(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Error{ErrorKind::Io,
                 "cannot make the folder '" + folder.string() + "': " + error.message()};
  }
  const double seconds = now_seconds();
  for (unsigned number = 0;; ++number) {
    std::filesystem::path path = folder / name_of_file(static_cast<std::uint64_t>(seconds), number);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return EventWriter(std::move(path), file, seconds);
    if (errno != EEXIST) return failed("cannot make the event file", path);
  }
}

EventWriter::EventWriter(std::filesystem::path path, int file, double wall_seconds)
    : path_(std::move(path)),
      file_(file),
      owner_(getpid()),
      events_(wall_seconds),
      flushed_(Clock::now()) {}

EventWriter::EventWriter(EventWriter&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      owner_(other.owner_),
      events_(std::move(other.events_)),
      flushed_(other.flushed_) {}

EventWriter::~EventWriter() {
  if (file_ < 0) return;
  (void)flush();
  ::close(file_);
}

Result<void> EventWriter::add_scalar(std::string_view tag, std::uint64_t step, double value) {
  events_.set_time(now_seconds());
  events_.add_scalar(tag, step, value);
  return flush_if_due();
}

Result<void> EventWriter::add_histogram(std::string_view tag, std::uint64_t step,
                                        std::vector<double> edges,
                                        std::vector<std::uint64_t> counts) {
  events_.set_time(now_seconds());
  events_.add_histogram(tag, {model::kNone, step, std::move(edges), std::move(counts)});
  return flush_if_due();
}

Result<void> EventWriter::flush_if_due() {
  return Clock::now() - flushed_ < kFlushEvery ? Result<void>{} : flush();
}

Result<void> EventWriter::flush() {
  flushed_ = Clock::now();
  const std::string bytes = events_.take();
  if (getpid() != owner_) return {};
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t count = ::write(file_, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("cannot write the event file", path_);
    written += static_cast<std::size_t>(count);
  }
  return {};
}

}  // namespace sightline::exports
