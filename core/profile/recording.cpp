#include "core/profile/recording.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <utility>

#include "core/profile/memory_limits.h"
#include "core/store/single_file.h"

namespace sightline::profile {
namespace {

constexpr auto kFirstWriteAfter = std::chrono::milliseconds(200);
constexpr auto kWriteEvery = std::chrono::milliseconds(600);

std::atomic<Recording*> active{nullptr};

std::uint64_t resident_peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Result<void> make_way(const std::filesystem::path& path, bool force) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) return {};
  if (!force) {
    return Error{
        ErrorKind::InvalidArgument,
        path.string() + " exists already; give another name, or replace it with force=True"};
  }
  if (!store::looks_like_run(path)) {
    return Error{
        ErrorKind::InvalidArgument,
        path.string() + " is not a run, so force=True does not replace it; give another name"};
  }
  if (store::is_being_recorded(path)) {
    return Error{ErrorKind::InvalidArgument,
                 path.string() +
                     " is still being recorded, so force=True does not replace it; stop that "
                     "recording, or give another name"};
  }
  if (const std::error_code failure = store::remove_run(path)) {
    return Error{ErrorKind::Io, path.string() + " cannot be replaced: " + failure.message()};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Recording>> Recording::start(RecordingOptions options) {
  record::Collector* collector = record::registered_collector();
  if (collector == nullptr) {
    return Error{ErrorKind::InvalidArgument, "no collector is loaded: import torch first"};
  }
  if (Recording* other = active.load(); other != nullptr) {
    return Error{ErrorKind::InvalidArgument,
                 "a recording already runs in this process, into " + other->path_.string() +
                     "; stop it first (nested recordings are not possible)"};
  }
  if (Result<void> free = make_way(options.path, options.force); !free) return free.error();
  auto writer = store::RunWriter::create(options.path, options.info,
                                         {.disk_budget_bytes = options.disk_budget_bytes});
  if (!writer) return writer.error();
  std::unique_ptr<Recording> recording(
      new Recording(std::move(options), *collector, std::move(writer).value()));
  static const int kRegistered =
      pthread_atfork(&before_fork, &after_fork_in_parent, &after_fork_in_child);
  static_cast<void>(kRegistered);
  active.store(recording.get());
  recording->thread_ =
      std::make_unique<std::thread>([raw = recording.get()] { raw->write_regularly(); });
  collector->attach(*recording->recorder_);
  return recording;
}

Recording::Recording(RecordingOptions options, record::Collector& collector,
                     std::unique_ptr<store::RunWriter> writer)
    : path_(options.path),
      process_(getpid()),
      info_(std::move(options.info)),
      collector_(collector),
      recorder_(std::make_unique<record::Recorder>(
          collector, [&collector](bool observing) { collector.set_observing(observing); },
          options.memory_budget_bytes)),
      writer_(std::move(writer)),
      sources_(std::move(options.sources)) {}

Recording::~Recording() {
  if (getpid() != process_) {
    // The thread is not in this process: to destroy what belongs to it would abort or wait for
    // ever.
    static_cast<void>(thread_.release());
    static_cast<void>(wake_.release());
    return;
  }
  static_cast<void>(stop());
}

void Recording::write_regularly() {
  std::unique_lock lock(mutex_);
  wake_->wait_for(lock, kFirstWriteAfter, [this] { return stopping_; });
  while (!stopping_) {
    // A delta that could not be written is tried again before a new one is taken.
    if (write_unwritten()) {
      unwritten_ = take_delta(false);
      static_cast<void>(write_unwritten());
    }
    wake_->wait_for(lock, kWriteEvery, [this] { return stopping_; });
  }
}

// These two are called with mutex_ held.
std::unique_ptr<model::Delta> Recording::take_delta(bool is_final) {
  auto delta = std::make_unique<model::Delta>(recorder_->take_delta(is_final));
  delta->training = training_->take(is_final);
  if (const std::uint64_t dropped = training_->dropped(); dropped > 0) {
    delta->drops.push_back({"series", dropped});
  }
  sources_.complete(*delta);
  delta->memory.process_peak_bytes = resident_peak_bytes();
  delta->memory.capacity_bytes = memory_capacity_bytes();
  return delta;
}

Result<void> Recording::write_unwritten() {
  if (unwritten_ == nullptr) return {};
  Result<void> written = writer_->write(*unwritten_);
  if (written) unwritten_.reset();
  return written;
}

std::vector<std::string> Recording::end() {
  if (getpid() != process_ || active.load() != this) return {};
  collector_.detach();
  recorder_->close();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_->notify_all();
  thread_->join();
  active.store(nullptr);
  const std::lock_guard lock(mutex_);
  last_ = take_delta(true);
  return sources_.names_without_text();
}

Result<void> Recording::stop(const std::map<std::string, std::string>& texts,
                             const model::DeviceMemory& device_memory) {
  if (getpid() != process_) return {};
  end();
  const std::lock_guard lock(mutex_);
  if (last_ == nullptr) return {};
  const std::unique_ptr<model::Delta> last = std::move(last_);
  sources_.add_texts(texts, *last);
  Result<void> written = write_unwritten();
  if (written) written = writer_->write(*last);
  if (written && device_memory.peak_bytes > 0) {
    info_.device_memory = device_memory;
    written = writer_->set_info(info_);
  }
  if (!written) {
    return Error{written.error().kind,
                 "the end of the run could not be written: " + written.error().message +
                     "; what was recorded before is in " + path_.string()};
  }
  return writer_->finish();
}

void Recording::before_fork() {
  if (Recording* recording = active.load()) recording->mutex_.lock();
}

void Recording::after_fork_in_parent() {
  if (Recording* recording = active.load()) recording->mutex_.unlock();
}

void Recording::after_fork_in_child() {
  Recording* recording = active.exchange(nullptr);
  if (recording == nullptr) return;
  recording->writer_->abandon();
  recording->mutex_.unlock();
}

}  // namespace sightline::profile
