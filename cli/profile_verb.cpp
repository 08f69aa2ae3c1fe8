#include <filesystem>

#include "cli/complaint.h"
#include "cli/entry_options.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/python_search.h"
#include "cli/recording_options.h"
#include "cli/run_name.h"
#include "cli/summary.h"
#include "cli/user_failure.h"
#include "cli/verbs.h"
#include "core/store/batch_samples.h"
#include "worker/interrupts.h"
#include "worker/profiling.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileOptions {
  EntryOptions entry;
  RecordingOptions recording;
};

void describe(CLI::App& app, ProfileOptions& options) {
  describe_entry(app, options.entry);
  describe_recording(app, options.recording, "ENTRY");
  app.footer(std::string(kEntryPointHelp) +
             "\nExamples:\n"
             "  sightline profile entry_point.py -o before.sightline\n"
             "  sightline profile entry_point.py --batch-size 64 --device cpu");
}

class ShownProgress : public worker::ProfileListener {
 public:
  void importing() { progress_.show("importing torch"); }
  void progress(worker::ProfilePart, const std::string& what) override { progress_.show(what); }

 private:
  Progress progress_;
};

worker::Outcome<worker::BatchSamples> profile_visibly(const fs::path& python,
                                                      const worker::ProfileRequest& request) {
  const worker::Interrupts interrupts;
  ShownProgress progress;
  progress.importing();
  const auto process = worker::WorkerProcess::start(python, interrupts.descriptor());
  if (!process) return worker::failure_of_setup(process.error().message);
  auto hello = worker::await_hello(*process.value());
  if (auto* failure = std::get_if<worker::Failure>(&hello)) return std::move(*failure);
  return worker::profile(*process.value(), request, progress);
}

int keep(RunDraft& draft, const fs::path& run, const worker::BatchSamples& samples) {
  if (const Result<void> added =
          store::add_batch_samples(draft.path(), samples.measured, samples.failed);
      !added) {
    return complain(added.error());
  }
  if (const Result<void> kept = draft.keep(); !kept) return complain(kept.error());
  print_summary(run);
  return kExitSuccess;
}

}  // namespace

int profile_main(const std::vector<std::string>& arguments) {
  CLI::App app(
      "Runs training steps of an entry point and records where they spend time and memory.",
      "sightline profile");
  ProfileOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  Result<worker::ProfileRequest> request = request_of(options.entry, options.recording);
  if (!request) return complain(request.error());
  const fs::path run = run_path(options.recording, request->analysis.root, options.entry.entry);
  if (const Result<void> free = check_way(run, options.recording.force); !free) {
    return complain(free.error());
  }
  const Result<FoundPython> python = find_python(python_search(options.recording.python));
  if (!python) return complain(python.error());

  RunDraft draft(run);
  const RunDraft sampling(run, "sampling");
  request->analysis.keep_source = !options.recording.no_source;
  request->analysis.run = draft.path().string();
  request->analysis.command = typed_command("profile", arguments);
  request->sampling_run = sampling.path().string();
  const auto outcome = profile_visibly(python->path, request.value());
  if (const auto* failure = std::get_if<worker::Failure>(&outcome)) {
    draft.discard();
    sampling.discard();
    return report_failure(*failure);
  }
  return keep(draft, run, std::get<worker::BatchSamples>(outcome));
}

}  // namespace sightline::cli
