// Back from file and journal to a single file.
#pragma once

#include <filesystem>
#include <system_error>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/store/sqlite.h"

namespace sightline::store {

// For a parent process, after the recording process has died: makes one file of the run, and brings
// it to its place if it was recorded elsewhere. info.finished stays false. Does nothing, and
// succeeds, if the run is a single file already, if another process has it open, or if there is
// nothing to be done about it (read_run says what is wrong then). Fails if there is no such file,
// or the disk or the folder refuses.
SIGHTLINE_API Result<void> finalize(const std::filesystem::path& path);

// Whether a file may give way to a run: by its name, or because it is a SQLite file.
SIGHTLINE_API bool looks_like_run(const std::filesystem::path& path);

// Whether a recording into it goes on, in any process of this machine; also true while another
// program reads what a recording that crashed has left.
SIGHTLINE_API bool is_being_recorded(const std::filesystem::path& path);

// Removes a run, with what SQLite may have left beside it. The first failure, if there is one.
SIGHTLINE_API std::error_code remove_run(const std::filesystem::path& path);

// Moves the journal of an open database into the file and removes it. False, with nothing changed,
// if another process has the file open. For this room only.
Result<bool> make_single_file(Database& database);

}  // namespace sightline::store
