#include "server/saved_run_search.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/text_hash.h"
#include "core/store/run_reader.h"
#include "server/http/source_path.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSavedRuns = 50;

bool is_run_name(const std::string& name) {
  return !name.starts_with('.') && name.ends_with(".sightline");
}

std::optional<fs::path> regular_file_below(const fs::path& folder, const fs::path& entry) {
  std::error_code problem;
  fs::path file = fs::canonical(entry, problem);
  if (problem || !lies_below(folder, file)) return std::nullopt;
  return fs::is_regular_file(file, problem) ? std::optional(std::move(file)) : std::nullopt;
}

// What it is about stands beside it.
std::string without_path(std::string text, const fs::path& file) {
  const std::string path = file.string();
  const std::size_t at = text.find(path);
  return at == std::string::npos ? text : text.replace(at, path.size(), "it");
}

}  // namespace

SavedRuns SavedRunSearch::look() {
  std::vector<Found> found = newest_first();
  SavedRuns saved;
  if (found.size() > kMostSavedRuns) {
    saved.left_out = found.size() - kMostSavedRuns;
    found.erase(found.begin() + kMostSavedRuns, found.end());
  }
  std::erase_if(known_, [&](const auto& entry) {
    return std::none_of(found.begin(), found.end(), [&](const Found& one) {
      return one.name == entry.first && one.file == entry.second.file;
    });
  });
  for (const Found& one : found) {
    if (stopped_) break;
    const Known& read = known(one);
    saved.runs.push_back(read.run);
    saved.runs.back().growing =
        read.run.problem.empty() && !read.finished && was_written_lately(read.file);
  }
  return saved;
}

std::vector<SavedRunSearch::Found> SavedRunSearch::newest_first() const {
  std::vector<Found> found;
  std::error_code gone;
  for (fs::directory_iterator at(folder_, gone), end; !gone && at != end; at.increment(gone)) {
    std::string name = at->path().filename().string();
    if (!is_run_name(name)) continue;
    if (std::optional<fs::path> file = regular_file_below(folder_, at->path())) {
      const fs::file_time_type written = last_written(*file);
      found.push_back({std::move(name), std::move(*file), written});
    }
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(b.written, a.name) < std::tie(a.written, b.name);
  });
  return found;
}

const SavedRunSearch::Known& SavedRunSearch::known(const Found& found) {
  const auto before = known_.find(found.name);
  if (before != known_.end()) {
    if (before->second.growth.has_grown()) read(before->second);
    return before->second;
  }
  Known fresh{found.file, RunGrowth(found.file), {}};
  fresh.run.id = "file-" + text_hash(found.name);
  fresh.run.name = found.name;
  fresh.run.file = found.file;
  read(fresh);
  return known_.emplace(found.name, std::move(fresh)).first->second;
}

void SavedRunSearch::read(Known& known) {
  SavedRun& run = known.run;
  run.facts = {};
  run.problem.clear();
  const Result<model::Run> read = store::read_run(known.file, {.events = false});
  if (!read) {
    run.problem = without_path(read.error().message, known.file);
  } else if (read->measurement) {
    run.problem = "it is the measurement of a model, which has no steps";
  } else {
    run.facts = facts_of(read.value());
    known.finished = read->info.finished;
  }
}

}  // namespace sightline::server
