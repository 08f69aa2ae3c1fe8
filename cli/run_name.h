// Where a run is written.
#pragma once

#include <ctime>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace sightline::cli {

// "train-20250301-120000.sightline" for a script some/train.py; modules keep their dotted name.
std::string default_run_name(const std::string& target, bool module, const std::tm& now);

// The same, now.
std::string default_run_name_now(const std::string& target, bool module = false);

// The first of name.sightline, name-2.sightline, ... that does not exist in the folder.
std::filesystem::path unused_path(const std::filesystem::path& folder, const std::string& name);

// The path of a run as one would type it in the folder: relative if the run is below it. Links are
// followed.
std::string path_from(const std::filesystem::path& folder, const std::filesystem::path& run);

// Makes sure that a run can be written there, before anything is started: the folder exists and is
// writable, and nothing is in the way but, with `force`, an older run. Fails with InvalidArgument.
Result<void> check_way(const std::filesystem::path& run, bool force);
// The same, and removes that older run.
Result<void> make_way(const std::filesystem::path& run, bool force);

// A run that is being made, under another name in the same folder. Gone with this object unless it
// was kept.
class RunDraft {
 public:
  explicit RunDraft(const std::filesystem::path& run, const std::string& part = "part");
  ~RunDraft();
  RunDraft(const RunDraft&) = delete;
  RunDraft& operator=(const RunDraft&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Gives it its name, in place of what bore it before.
  Result<void> keep();
  void discard() const;

 private:
  const std::filesystem::path run_;
  const std::filesystem::path path_;
};

}  // namespace sightline::cli
