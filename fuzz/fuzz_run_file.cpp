// A run file of any content: it is read, reported and served, or refused, and nothing else happens.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/export/timeline.h"
#include "core/export/timeline_json.h"
#include "core/measure/compare/measurement_comparison.h"
#include "core/measure/report/measurement_report.h"
#include "core/profile/breakdown.h"
#include "core/profile/compare/source_diff.h"
#include "core/profile/report/report_json.h"
#include "core/store/run_reader.h"
#include "server/messages.h"
#include "server/training/training_answer.h"
#include "server/training/training_copy.h"

namespace {

// One name for the life of the process, in memory where the system has such a folder.
class Scratch {
 public:
  Scratch() {
    std::error_code ignored;
    const std::filesystem::path memory = "/dev/shm";
    const bool usable =
        std::filesystem::is_directory(memory, ignored) && access("/dev/shm", W_OK) == 0;
    path_ = ((usable ? memory : std::filesystem::temp_directory_path()) / "sightline-fuzz-XXXXXX")
                .string();
    descriptor_ = mkstemp(path_.data());
    if (descriptor_ < 0) std::abort();
  }
  ~Scratch() {
    close(descriptor_);
    unlink(path_.c_str());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& fill(const std::uint8_t* data, std::size_t size) {
    if (ftruncate(descriptor_, 0) != 0 ||
        pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size)) {
      std::abort();
    }
    return path_;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

using sightline::model::Run;

void must_be_json(const std::string& text) {
  if (!nlohmann::json::accept(text)) std::abort();
}

void report(const Run& run) {
  must_be_json(sightline::profile::render_json(sightline::profile::break_down(run)));
}

void report_measurement(const Run& run) {
  must_be_json(sightline::measure::render_measurement_json(run.info, *run.measurement));
  if (sightline::measure::render_measurement(run.info, *run.measurement, {}).empty()) std::abort();
  if (sightline::measure::compare_measurements({&run, &run}).figures.empty()) std::abort();
}

// As a view does.
void serve(const Run& run) {
  must_be_json(sightline::server::view_message(run));
  std::vector<std::uint64_t> steps;
  if (const auto last = sightline::exports::timeline(run, std::nullopt)) steps = last->steps;
  for (const std::uint64_t step : steps) {
    const auto timeline = sightline::exports::timeline(run, step);
    if (!timeline) std::abort();
    must_be_json(sightline::exports::timeline_json(run, timeline.value()));
  }
}

void compare_sources(const Run& run) {
  Run edited = run;
  edited.sources.clear();
  for (auto& file : edited.files) {
    const auto source = run.sources.find(file.source_hash);
    if (source == run.sources.end()) continue;
    file.source_hash += "'";
    edited.sources[file.source_hash] = source->second.substr(source->second.size() / 2) + "\nmore";
  }
  must_be_json(sightline::server::dump(
      sightline::profile::source_diff_json(sightline::profile::source_diff(run, edited))));
}

void serve_training(const std::string& path) {
  if (const auto copy = sightline::server::training_copy(path)) must_be_json(copy.value());
  const auto heat = sightline::server::training_answer(
      path, {.method = "GET", .path = "/api/heat", .query = {{"series", "1"}}, .authority = ""});
  must_be_json(*heat.body);
}

}  // namespace

// The reader waits a little before it looks at a damaged file again. Nobody is at work on this one.
extern "C" int nanosleep(const timespec* /*wanted*/, timespec* /*left*/) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Scratch scratch;
  const std::string& path = scratch.fill(data, size);
  serve_training(path);
  const auto run = sightline::store::read_run(path);
  if (!run) return 0;
  report(run.value());
  serve(run.value());
  compare_sources(run.value());
  if (run->measurement) report_measurement(run.value());
  return 0;
}
