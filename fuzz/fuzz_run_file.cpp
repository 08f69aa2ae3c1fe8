// A run file of any content: it is read and reported, or refused, and nothing else happens.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "core/measure/compare/measurement_comparison.h"
#include "core/measure/report/measurement_report.h"
#include "core/profile/breakdown.h"
#include "core/profile/report/report_json.h"
#include "core/store/run_reader.h"

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

}  // namespace

// The reader waits a little before it looks at a damaged file again. Nobody is at work on this one.
extern "C" int nanosleep(const timespec* /*wanted*/, timespec* /*left*/) { return 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Scratch scratch;
  const auto run = sightline::store::read_run(scratch.fill(data, size));
  if (!run) return 0;
  const auto breakdown = sightline::profile::break_down(run.value());
  const std::string text = sightline::profile::render_json(breakdown);
  if (!nlohmann::json::accept(text)) std::abort();
  if (!run->measurement) return 0;
  const std::string measured =
      sightline::measure::render_measurement_json(run->info, *run->measurement);
  if (!nlohmann::json::accept(measured)) std::abort();
  if (sightline::measure::render_measurement(run->info, *run->measurement, {}).empty()) {
    std::abort();
  }
  if (sightline::measure::compare_measurements({&run.value(), &run.value()}).figures.empty()) {
    std::abort();
  }
  return 0;
}
