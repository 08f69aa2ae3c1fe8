#include "core/store/run_writer.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "core/store/delta_writer.h"
#include "core/store/live_runs.h"
#include "core/store/place.h"
#include "core/store/schema.h"
#include "core/store/single_file.h"
#include "core/store/sqlite.h"

namespace sightline::store {
namespace fs = std::filesystem;
namespace {

constexpr int kOpenToWrite = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
constexpr std::uint64_t kPageBytes = 4096;
// One who looks at a run that grows has it open for some milliseconds.
constexpr std::chrono::milliseconds kReadersPause{20};
constexpr int kMostReadersPauses = 10;

// A journal that is large beside the budget would by itself use the budget up.
int pages_between_checkpoints(std::uint64_t budget_bytes) {
  return static_cast<int>(std::clamp<std::uint64_t>(budget_bytes / 16 / kPageBytes, 16, 1000));
}

// A database at `path` with the schema in it; `wal` tells whether it can be read while written.
Result<Database> open_new(const fs::path& path, bool& wal) {
  Result<Database> opened = Database::open(path.string(), kOpenToWrite, path.string());
  if (!opened) return opened.error();
  Database database = std::move(opened).value();
  // Checkpoints are made by hand, see Recording::checkpoint().
  const bool set = database.execute(
      "PRAGMA page_size = 4096; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;");
  if (!set) return database.take_error("write");
  Result<void> made = create_schema(database);
  if (!made) return made.error();
  wal = database.text("PRAGMA journal_mode = WAL") == "wal" &&
        database.execute("PRAGMA wal_autocheckpoint = 0");
  if (database.failed()) (void)database.take_error("write");
  return database;
}

}  // namespace

struct RunWriter::Recording {
  Recording(Database opened, const fs::path& path, const WriterOptions& options)
      : live(path),
        database(std::move(opened)),
        rows(database, options.disk_budget_bytes),
        page_count(database, "PRAGMA page_count"),
        checkpoint_pages(pages_between_checkpoints(options.disk_budget_bytes)) {
    // Readers can keep the journal from being used anew, so it grows; it shall shrink again.
    const std::string limit = "PRAGMA journal_size_limit = " +
                              std::to_string(2 * kPageBytes * std::uint64_t(checkpoint_pages));
    if (!database.execute(limit.c_str())) (void)database.take_error("write");
    sqlite3_wal_hook(database.handle(), &Recording::note_wal_pages, this);
  }

  static int note_wal_pages(void* self, sqlite3*, const char*, int pages) {
    static_cast<Recording*>(self)->wal_pages = pages;
    return SQLITE_OK;
  }

  // Runs `body` as one transaction.
  template <typename Body>
  Result<void> transact(Body body) {
    const bool done = database.execute("BEGIN IMMEDIATE") && body() && database.execute("COMMIT");
    if (done) {
      rows.committed();
      return {};
    }
    Error error = database.take_error("write the run file");
    if (sqlite3_get_autocommit(database.handle()) == 0 && !database.execute("ROLLBACK")) {
      (void)database.take_error("roll back");
    }
    rows.rolled_back();
    return error;
  }

  template <typename Body>
  Result<void> transact_and_count(Body body) {
    Result<void> done = transact([&] {
      return body() && rows.write_meta("transactions", std::to_string(transactions + 1));
    });
    if (done) ++transactions;
    return done;
  }

  // Moves the journal into the file. Just before, the number of transactions is written as
  // checkpointed_transactions, so a copy of the file without its journal can be told (the numbers
  // are equal) from a file into which the whole journal was moved (they are not).
  void checkpoint() {
    if (wal_pages < checkpoint_pages) return;
    Result<void> marked = transact(
        [&] { return rows.write_meta("checkpointed_transactions", std::to_string(transactions)); });
    // Without the mark the checkpoint waits for the next write; nothing is lost by that.
    if (!marked) return;
    sqlite3_wal_checkpoint_v2(database.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                              nullptr);
  }

  std::uint64_t used_bytes(const fs::path& path) {
    std::error_code error;
    const std::uint64_t wal_bytes = fs::file_size(beside(path, "-wal"), error);
    std::uint64_t pages = 0;
    if (page_count.step()) {
      pages = static_cast<std::uint64_t>(sqlite3_column_int64(page_count.handle(), 0));
    }
    sqlite3_reset(page_count.handle());
    return pages * kPageBytes + (error ? 0 : wal_bytes);
  }

  const pid_t owner = ::getpid();
  LiveRun live;
  Database database;
  DeltaWriter rows;
  Statement page_count;
  int checkpoint_pages;
  int wal_pages = 0;
  std::uint64_t transactions = 0;
  std::optional<TemporaryFolder> folder;  // holds the recording, if that is elsewhere
  model::RunInfo info;
  bool complete = false;  // info.finished is written
  Recording* next_abandoned = nullptr;
};

Result<std::unique_ptr<RunWriter>> RunWriter::create(const fs::path& path,
                                                     const model::RunInfo& info,
                                                     const WriterOptions& options) {
  const fs::path place = fs::absolute(path);
  if (Result<void> reserved = create_exclusively(place, ""); !reserved) return reserved.error();
  // A journal left by a run of that name that was removed would be taken for ours.
  for (const char* suffix : {"-journal", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(beside(place, suffix), ignored);
  }

  fs::path recording_path = place;
  std::optional<TemporaryFolder> folder;
  bool wal = false;
  Result<Database> database = Error{};
  if (!options.record_elsewhere && !is_on_network_file_system(place.parent_path())) {
    database = open_new(place, wal);
    if (!database) {
      remove_run(place);
      return database.error();
    }
  }
  if (!wal) {
    database = Error{};
    remove_run(place);
    Result<TemporaryFolder> made = TemporaryFolder::create();
    if (!made) return made.error();
    folder = std::move(made).value();
    recording_path = folder->path() / place.filename();
    const Signpost signpost{host_name(), recording_path};
    if (Result<void> put = create_exclusively(place, signpost.text()); !put) return put.error();
    database = open_new(recording_path, wal);
    if (database && !wal) {
      database = Error{ErrorKind::Io, "neither " + place.parent_path().string() + " nor " +
                                          folder->path().string() +
                                          " can hold a live run; set TMPDIR to a local disk"};
    }
    if (!database) {
      remove_run(place);
      return database.error();
    }
  }

  auto recording =
      std::make_unique<Recording>(std::move(database).value(), recording_path, options);
  recording->folder = std::move(folder);
  std::unique_ptr<RunWriter> writer(new RunWriter(std::move(recording)));
  writer->path_ = std::move(recording_path);
  writer->final_path_ = place;
  if (Result<void> set = writer->set_info(info); !set) {
    Error error = set.error();
    std::optional<TemporaryFolder> unwanted = std::move(writer->recording_->folder);
    writer->recording_.reset();
    remove_run(place);
    return error;
  }
  return writer;
}

RunWriter::RunWriter(std::unique_ptr<Recording> recording) : recording_(std::move(recording)) {}

RunWriter::~RunWriter() {
  if (!recording_) return;
  if (recording_->owner != ::getpid()) {
    abandon();
    return;
  }
  Result<bool> single = make_single_file(recording_->database);
  const bool elsewhere = records_elsewhere();
  std::optional<TemporaryFolder> folder = std::move(recording_->folder);
  recording_.reset();
  if (!elsewhere) return;
  if (!single || !single.value() || !copy_into_place(path_, final_path_)) folder->keep();
}

Result<void> RunWriter::check_usable() const {
  if (!recording_) {
    return Error{ErrorKind::InvalidArgument,
                 "the recording of " + final_path_.string() + " has ended"};
  }
  if (recording_->owner != ::getpid()) {
    return Error{ErrorKind::InvalidArgument,
                 "a forked process cannot write into the recording of its parent"};
  }
  return {};
}

Result<void> RunWriter::write(const model::Delta& delta) {
  if (Result<void> usable = check_usable(); !usable) return usable;
  const std::uint64_t used_bytes = recording_->used_bytes(path_);
  Result<void> written =
      recording_->transact_and_count([&] { return recording_->rows.write(delta, used_bytes); });
  if (written) recording_->checkpoint();
  return written;
}

Result<void> RunWriter::set_info(const model::RunInfo& info) {
  if (Result<void> usable = check_usable(); !usable) return usable;
  recording_->info = info;
  return recording_->transact_and_count([&] { return recording_->rows.write_info(info); });
}

Result<void> RunWriter::finish() {
  if (Result<void> usable = check_usable(); !usable) return usable;
  if (!recording_->complete) {
    model::RunInfo info = recording_->info;
    info.finished = true;
    Result<void> ended = recording_->transact_and_count(
        [&] { return recording_->rows.join_pieces() && recording_->rows.write_info(info); });
    if (!ended) return ended;
    recording_->info = std::move(info);
    recording_->complete = true;
  }
  Result<bool> single = make_single_file(recording_->database);
  for (int pause = 0; pause < kMostReadersPauses && single && !single.value(); ++pause) {
    std::this_thread::sleep_for(kReadersPause);
    single = make_single_file(recording_->database);
  }
  if (!single) return single.error();
  if (!single.value()) {
    return Error{ErrorKind::Io, "the run " + path_.string() +
                                    " is complete, but another program has it open, so it keeps "
                                    "its -wal file; close that program, then finish again"};
  }
  if (records_elsewhere()) {
    if (Result<void> copied = copy_into_place(path_, final_path_); !copied) return copied;
  }
  recording_.reset();
  return {};
}

void RunWriter::abandon() noexcept {
  if (!recording_) return;
  // Kept in sight, so that leak checkers do not take it for an accident.
  static Recording* abandoned = nullptr;
  recording_->next_abandoned = abandoned;
  abandoned = recording_.release();
}

const fs::path& RunWriter::path() const { return path_; }
const fs::path& RunWriter::final_path() const { return final_path_; }

}  // namespace sightline::store
