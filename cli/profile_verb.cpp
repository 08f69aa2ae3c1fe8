#include <filesystem>
#include <system_error>

#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/project_file.h"
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
  std::string entry;
  RecordingOptions recording;
  std::uint64_t batch_size = 0;
  std::string device;
  double timeout_s = 120;
  bool no_throughput = false;
};

void describe(CLI::App& app, ProfileOptions& options) {
  app.add_option("ENTRY", options.entry, "the entry point: a Python file with three providers")
      ->required()
      ->type_name("");
  app.add_option("--batch-size", options.batch_size,
                 "samples in a batch (the default of the input provider)")
      ->check(CLI::Range(1, 1 << 30).description(""))
      ->type_name("N");
  app.add_option("--device", options.device,
                 "cpu runs code that asks for a CUDA device on the CPU, unchanged")
      ->check(CLI::IsMember({"cpu", "cuda"}).description(""))
      ->type_name("DEVICE");
  app.add_option("--timeout", options.timeout_s,
                 "seconds that loading, a provider or a few steps may take (120)")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("S");
  app.add_flag("--no-throughput", options.no_throughput,
               "leave out steps at other batch sizes, which take most of the time");
  describe_recording(app, options.recording, "ENTRY");
  app.footer(
      "Start it in the project's root. The entry point is a Python file with\n"
      "  def sightline_model_provider():                 returns the model\n"
      "  def sightline_input_provider(batch_size=32):    returns the inputs of one iteration\n"
      "  def sightline_iteration_provider(model):        returns a function that runs one\n"
      "Entry points of Skyline and DeepView (skyline_..., deepview_...) work as they are.\n\n"
      "Examples:\n"
      "  sightline profile entry_point.py -o before.sightline\n"
      "  sightline profile entry_point.py --batch-size 64 --device cpu");
}

worker::ProfileRequest request_of(const ProfileOptions& options) {
  worker::ProfileRequest request;
  request.throughput = !options.no_throughput;
  request.analysis.batch_size = options.batch_size;
  request.analysis.device = options.device;
  request.analysis.timeout_s = options.timeout_s;
  request.analysis.include = options.recording.include;
  request.analysis.keep_source = !options.recording.no_source;
  return request;
}

using Samples = std::vector<model::BatchSample>;

worker::Outcome<Samples> profile_visibly(const fs::path& python,
                                         const worker::ProfileRequest& request) {
  const worker::Interrupts interrupts;
  Progress progress;
  return worker::profile(python, request, interrupts.descriptor(),
                         [&](const std::string& what) { progress.show(what); });
}

int keep(RunDraft& draft, const fs::path& run, const Samples& samples) {
  if (const Result<void> added = store::add_batch_samples(draft.path(), samples); !added) {
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

  std::error_code no_folder;
  const fs::path root = fs::canonical(".", no_folder);
  if (no_folder) return complain(wrong_use("the current folder does not exist"));
  const Result<fs::path> entry = find_python_file(options.entry, "the entry point", root);
  if (!entry) return complain(entry.error());
  const fs::path run = run_path(options.recording, root, options.entry);
  if (const Result<void> free = check_way(run, options.recording.force); !free) {
    return complain(free.error());
  }
  const Result<FoundPython> python = find_python(python_search(options.recording.python));
  if (!python) return complain(python.error());

  RunDraft draft(run);
  const RunDraft sampling(run, "sampling");
  worker::ProfileRequest request = request_of(options);
  request.analysis.entry = entry->string();
  request.analysis.root = root.string();
  request.analysis.run = draft.path().string();
  request.analysis.command = typed_command("profile", arguments);
  request.sampling_run = sampling.path().string();
  const auto outcome = profile_visibly(python->path, request);
  if (const auto* failure = std::get_if<worker::Failure>(&outcome)) {
    draft.discard();
    sampling.discard();
    return report_failure(*failure);
  }
  return keep(draft, run, std::get<Samples>(outcome));
}

}  // namespace sightline::cli
