// Writes a run file while the run goes on.
//
// What was written stays readable when the process is killed at any instant: every write is one
// transaction. While recording, the run is `path` and its companions `-wal` and `-shm`; after
// finish() it is one file. Other processes may read all the while.
//
// Threads: one at a time. Forked children must not use it: they call abandon(), or nothing; what
// they call besides fails without touching the file. No write may be under way in another thread at
// the moment of the fork.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/run.h"

namespace sightline::store {

struct WriterOptions {
  // What the run may take on disk. Events are refused from 80 % on, source texts from 90 % on, step
  // rows and the figures of a training at 100 %; what was refused is counted as drops. Costs,
  // totals and verdicts are always written.
  std::uint64_t disk_budget_bytes = 256U << 20;
  // Record in the temporary directory and copy on finish(), as is done on network file systems.
  bool record_elsewhere = false;
};

class SIGHTLINE_API RunWriter {
 public:
  // Fails with InvalidArgument if `path` exists, NotFound if its folder does not, Io if nothing can
  // be written there. Leaves nothing behind when it fails.
  static Result<std::unique_ptr<RunWriter>> create(const std::filesystem::path& path,
                                                   const model::RunInfo& info,
                                                   const WriterOptions& options = {});

  // Closes into one file as finish() does, as far as that is possible, but does not set
  // info.finished: only finish() says that the recording ended well.
  ~RunWriter();
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  // All of the delta or, on failure, nothing of it; then earlier deltas stay readable and the call
  // may be repeated with the same or a later delta.
  Result<void> write(const model::Delta& delta);

  Result<void> set_info(const model::RunInfo& info);

  // Ends the recording: sets info.finished, makes one file of it, puts it in its place. If only the
  // last parts fail (a reader holds the file for long, the copy does not fit), the run is complete,
  // the message says where it is, and the call may be repeated. After success every call but path()
  // and its like fails.
  Result<void> finish();

  // For a forked child: forgets the connection without touching it. What it owns is leaked.
  void abandon() noexcept;

  const std::filesystem::path& path() const;        // where it really records
  const std::filesystem::path& final_path() const;  // where the run is after finish()
  bool records_elsewhere() const { return path() != final_path(); }

 private:
  struct Recording;
  explicit RunWriter(std::unique_ptr<Recording> recording);

  // Fails in a forked child, after finish() and after abandon().
  Result<void> check_usable() const;

  std::filesystem::path path_;
  std::filesystem::path final_path_;
  std::unique_ptr<Recording> recording_;
};

}  // namespace sightline::store
