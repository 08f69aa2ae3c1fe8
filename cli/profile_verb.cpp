#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "cli/child_process.h"
#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/python_search.h"
#include "cli/run_name.h"
#include "cli/run_plan.h"
#include "cli/summary.h"
#include "cli/verbs.h"
#include "core/store/batch_samples.h"
#include "worker/interrupts.h"
#include "worker/profiling.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileOptions {
  std::string entry;
  std::string run;
  std::uint64_t batch_size = 0;
  std::string device;
  std::string python;
  double timeout_s = 120;
  std::vector<std::string> include;
  bool no_throughput = false;
  bool no_source = false;
  bool force = false;
};

void describe(CLI::App& app, ProfileOptions& options) {
  app.add_option("ENTRY", options.entry, "the entry point: a Python file with three providers")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", options.run,
                 "the run file to write (ENTRY-DATE-TIME.sightline in the current folder)")
      ->type_name("RUN");
  app.add_option("--batch-size", options.batch_size,
                 "samples in a batch (the default of the input provider)")
      ->check(CLI::Range(1, 1 << 30).description(""))
      ->type_name("N");
  app.add_option("--device", options.device,
                 "cpu runs code that asks for a CUDA device on the CPU, unchanged")
      ->check(CLI::IsMember({"cpu", "cuda"}).description(""))
      ->type_name("DEVICE");
  app.add_option("--python", options.python,
                 "the Python to run it with (else that of the active environment, the one\n"
                 "beside this program, or the one on the PATH)")
      ->type_name("PYTHON");
  app.add_option("--timeout", options.timeout_s,
                 "seconds that loading, a provider or a few steps may take (120)")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("S");
  app.add_option("--include", options.include,
                 "show the lines of this package too, e.g. transformers; may be repeated")
      ->type_name("PACKAGE")
      ->expected(1)
      ->take_all();
  app.add_flag("--no-throughput", options.no_throughput,
               "leave out steps at other batch sizes, which take most of the time");
  app.add_flag("--no-source", options.no_source, "keep no text of your files in the run");
  app.add_flag("--force", options.force, "replace an existing run");
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

Error wrong(std::string message) { return {ErrorKind::InvalidArgument, std::move(message)}; }

// The entry point, links followed, if it can be one.
Result<fs::path> find_entry(const std::string& entry, const fs::path& root) {
  std::error_code failure;
  if (!fs::exists(entry, failure)) return wrong("the entry point " + entry + " does not exist");
  if (!fs::is_regular_file(entry, failure)) return wrong(entry + " is not a file");
  if (fs::path(entry).extension() != ".py") {
    return wrong(entry + " is not a Python file; an entry point is named NAME.py");
  }
  const fs::path path = fs::canonical(entry, failure);
  const fs::path relative = path.lexically_relative(root);
  if (relative.empty() || *relative.begin() == "..") {
    return wrong(entry + " is outside of " + root.string() +
                 "; start sightline in the root of the project that the entry point belongs to");
  }
  return path;
}

int report_failure(const worker::Failure& failure) {
  std::fputs(worker::render(failure).c_str(), stderr);
  if (failure.kind != worker::Failure::Kind::Interrupted) {
    return failure.kind == worker::Failure::Kind::Unusable ? kExitWrongUse : kExitFailure;
  }
  std::fflush(nullptr);
  die_by(failure.signal);
  return 128 + failure.signal;
}

}  // namespace

int profile_main(const std::vector<std::string>& arguments) {
  CLI::App app(
      "Runs training steps of an entry point and records where they spend time and memory.",
      "sightline profile");
  ProfileOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  std::error_code failure;
  const fs::path root = fs::canonical(".", failure);
  if (failure) return complain(wrong("the current folder does not exist"));
  const Result<fs::path> entry = find_entry(options.entry, root);
  if (!entry) return complain(entry.error());
  const fs::path run = options.run.empty() ? unused_path(root, default_run_name_now(options.entry))
                                           : fs::absolute(options.run).lexically_normal();
  if (const Result<void> free = check_way(run, options.force); !free) return complain(free.error());
  const Result<FoundPython> python = find_python(python_search(options.python));
  if (!python) return complain(python.error());

  RunDraft draft(run);
  RunDraft sampling_draft(run, "sampling");
  worker::ProfileRequest whole;
  whole.throughput = !options.no_throughput;
  whole.sampling_run = sampling_draft.path().string();
  worker::AnalysisRequest& request = whole.analysis;
  request.entry = entry->string();
  request.root = root.string();
  request.run = draft.path().string();
  request.batch_size = options.batch_size;
  request.device = options.device;
  request.timeout_s = options.timeout_s;
  request.include = options.include;
  request.keep_source = !options.no_source;
  std::vector<std::string> words = {"sightline", "profile"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  request.command = command_line(words);

  worker::Outcome<std::vector<model::BatchSample>> outcome;
  {
    const worker::Interrupts interrupts;
    Progress progress;
    outcome = worker::profile(python->path, whole, interrupts.descriptor(),
                              [&](const std::string& what) { progress.show(what); });
  }
  if (const auto* failure = std::get_if<worker::Failure>(&outcome)) {
    draft.discard();
    sampling_draft.discard();
    return report_failure(*failure);
  }
  const auto& samples = std::get<std::vector<model::BatchSample>>(outcome);
  if (const Result<void> added = store::add_batch_samples(draft.path(), samples); !added) {
    return complain(added.error());
  }
  if (const Result<void> kept = draft.keep(); !kept) return complain(kept.error());
  print_summary(run);
  return kExitSuccess;
}

}  // namespace sightline::cli
