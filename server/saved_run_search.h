// Finds the run files that lie in a folder, and says what is in them. One thread at a time.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>

#include "server/saved_runs.h"
#include "server/training/run_growth.h"

namespace sightline::server {

class SavedRunSearch {
 public:
  // Of a folder without links in its path.
  explicit SavedRunSearch(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The folder as it is now, without those below it. A link counts by where it leads, which has to
  // be a regular file below the folder. Reads what it has not read, or what was written to since.
  SavedRuns look();
  // From any thread: a look that is under way ends after the file that it reads.
  void stop() { stopped_ = true; }

 private:
  struct Known {
    std::filesystem::path file;
    RunGrowth growth;
    SavedRun run;
    bool finished = false;
  };
  struct Found {
    std::string name;
    std::filesystem::path file;
    std::filesystem::file_time_type written;
  };

  std::vector<Found> newest_first() const;
  const Known& known(const Found& found);
  static void read(Known& known);

  const std::filesystem::path folder_;
  std::map<std::string, Known> known_;  // by name
  std::atomic<bool> stopped_ = false;
};

}  // namespace sightline::server
