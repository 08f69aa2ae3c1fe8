#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/child_process.h"
#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/python_search.h"
#include "cli/recording_options.h"
#include "cli/run_arguments.h"
#include "cli/run_name.h"
#include "cli/run_plan.h"
#include "cli/summary.h"
#include "cli/supervision_options.h"
#include "cli/threshold_options.h"
#include "cli/verbs.h"
#include "core/store/single_file.h"
#include "worker/bootstrap.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBytesPerMb = 1U << 20U;

struct RunOptions {
  RecordingOptions recording;
  SupervisionOptions supervision;
  std::string root;
  std::uint64_t memory_budget_mb = 64;
  std::uint64_t disk_budget_mb = 256;
  // Shown in the help only: they are taken out before the options are parsed.
  std::string script;
  std::string module;
  std::vector<std::string> script_arguments;
};

void describe(CLI::App& app, RunOptions& options) {
  app.add_option("SCRIPT", options.script, "the training script; what follows it is its own")
      ->type_name("");
  app.add_option("ARGS", options.script_arguments, "the arguments of the script")->type_name("");
  app.add_option("-m", options.module, "run a module in place of a script, as python -m does")
      ->type_name("MODULE");
  app.add_option("--root", options.root,
                 "the folder of your project, whose lines are shown (the current folder)")
      ->type_name("FOLDER");
  app.add_option("--memory-budget", options.memory_budget_mb,
                 "memory the recording may take in the script's process (64)")
      ->check(CLI::Range(1, 1 << 20).description(""))
      ->type_name("MB");
  app.add_option("--disk-budget", options.disk_budget_mb, "disk space it may take (256)")
      ->check(CLI::Range(1, 1 << 24).description(""))
      ->type_name("MB");
  describe_recording(app, options.recording, "SCRIPT");
  describe_supervision(app, options.supervision);
  app.footer(
      "The script runs as it would without sightline: its output, its exit code and its signals "
      "are\n"
      "its own. Ctrl-C keeps what was recorded until then. A training that --stop-on ends has "
      "exit\n"
      "code 1, unless the script catches KeyboardInterrupt.\n\n"
      "Examples:\n"
      "  sightline run train.py --epochs 1\n"
      "  sightline run -o resnet.sightline --force train.py --lr 0.1\n"
      "  sightline run --include transformers -m my_package.train\n"
      "  sightline run --supervise --stop-on non-finite train.py");
}

// The part of the plan that the user chose, checked before anything is started.
Result<RunPlan> make_plan(const RunOptions& options, const RunArguments& divided) {
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  if (failure) return wrong_use("the current folder does not exist");
  RunPlan plan;
  plan.target = divided.target;
  plan.module = divided.module;
  if (!plan.module && !fs::is_regular_file(plan.target, failure)) {
    const char* what = fs::exists(plan.target, failure) ? " is not a file" : " does not exist";
    return wrong_use("the script " + plan.target + what);
  }
  plan.root = options.root.empty() ? here : fs::weakly_canonical(options.root, failure);
  if (!fs::is_directory(plan.root, failure)) {
    return wrong_use("--root " + options.root + " is not a folder");
  }
  plan.path = run_path(options.recording, here, plan.target, plan.module);
  plan.include = options.recording.include;
  plan.memory_budget_bytes = options.memory_budget_mb * kBytesPerMb;
  plan.disk_budget_bytes = options.disk_budget_mb * kBytesPerMb;
  plan.keep_source = !options.recording.no_source;
  const Result<std::string> supervise = mode_of(options.supervision);
  if (!supervise) return supervise.error();
  plan.supervise = supervise.value();
  plan.supervise_budget_percent = options.supervision.budget_percent;
  plan.stop_on = options.supervision.stop_on;
  Result<NamedValues> thresholds = threshold_values(options.supervision.thresholds);
  if (!thresholds) return thresholds.error();
  plan.thresholds = std::move(thresholds).value();
  return plan;
}

void conclude(const fs::path& run, const Ending& ending) {
  std::error_code ignored;
  if (!fs::exists(run, ignored)) {
    // A script that failed has said why; it may have been on its way to torch.
    complain(ending.exit_code == 0 ? "nothing was recorded, because the script did not import torch"
                                   : "nothing was recorded",
             "", 0);
    return;
  }
  if (const Result<void> finalized = store::finalize(run); !finalized) {
    complain(finalized.error());
  }
  print_summary(run);
}

int end_as(const Ending& ending) {
  if (ending.signal == 0) return ending.exit_code;
  if (ending.signal == SIGINT) {
    complain("the script was interrupted", "", 0);
  } else {
    complain(std::string("the script was killed by signal ") + std::to_string(ending.signal) +
                 " (" + strsignal(ending.signal) + ")",
             "", 0);
  }
  std::fflush(nullptr);
  die_by(ending.signal);
  return ending.exit_code;
}

}  // namespace

int run_main(const std::vector<std::string>& arguments) {
  CLI::App app(
      "Runs a training script, unchanged, and records where its steps spend time and memory.",
      "sightline run");
  RunOptions options;
  describe(app, options);
  const RunArguments divided = divide_run_arguments(arguments, [&](std::string_view name) {
    const CLI::Option* option = app.get_option_no_throw(std::string(name));
    return option != nullptr && option->get_items_expected_min() > 0;
  });
  if (const std::optional<int> done = parse(app, divided.ours)) return *done;
  if (divided.target.empty()) {
    return complain(divided.module ? "-m needs the name of a module" : "which script is to be run?",
                    "for example: sightline run train.py", kExitWrongUse);
  }
  Result<RunPlan> plan = make_plan(options, divided);
  if (!plan) return complain(plan.error());
  const Result<FoundPython> python = find_python(python_search(options.recording.python));
  if (!python) return complain(python.error());
  if (const Result<void> free = make_way(plan->path, options.recording.force); !free) {
    return complain(free.error());
  }
  plan->command = typed_command("run", arguments);

  worker::Command command;
  command.program = python->path.string();
  command.arguments = {"-c", worker::bootstrap("sightline._run")};
  command.arguments.insert(command.arguments.end(), divided.script_arguments.begin(),
                           divided.script_arguments.end());
  command.environment = {"SIGHTLINE_RUN=" + to_json(plan.value())};
  const Result<Ending> ending = run_in_our_place(command);
  if (!ending) return complain(ending.error());
  conclude(plan->path, ending.value());
  const int code = end_as(ending.value());
  return code == kExitSuccess ? check_rules(plan->path, options.supervision.fail_on) : code;
}

}  // namespace sightline::cli
