// Reads a run file: finished, still being recorded, or left behind by a process that was killed.
#pragma once

#include <filesystem>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/run.h"

namespace sightline::store {

struct ReadOptions {
  bool events = true;  // false: leaves Run::events empty, which is much quicker
};

// The run as of its last complete write. Does not change the file, and works in folders that cannot
// be written. Safe on any thread, also while this or another process records.
//
// What is read can be trusted to be in range, whoever made the file: tables are dense and indexed
// by id (entry 0 is the root or "nothing"), every id points into its table, a node's parent comes
// before it, modules do not contain each other in a circle, step_stride is not 0, steps are in
// order, a file's source_hash is empty or in `sources`. Names and texts are as hostile as the file.
//
// Fails with NotFound; InvalidArgument (a folder); Unsupported (not a run, or of a newer format);
// Corrupt (empty, cut off, damaged, or without the -wal file that belongs to it); Io.
SIGHTLINE_API Result<model::Run> read_run(const std::filesystem::path& path,
                                          const ReadOptions& options = {});

}  // namespace sightline::store
