#include <filesystem>
#include <system_error>

#include "cli/complaint.h"
#include "cli/measure_target.h"
#include "cli/outputs.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cli/python_search.h"
#include "cli/recording_options.h"
#include "cli/report_output.h"
#include "cli/run_name.h"
#include "cli/user_failure.h"
#include "cli/verbs.h"
#include "core/export/csv_tables.h"
#include "core/export/measured_tables.h"
#include "core/export/write_files.h"
#include "core/measure/report/measurement_report.h"
#include "core/store/measurement_writer.h"
#include "worker/interrupts.h"
#include "worker/stages.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

struct MeasureOptions {
  MeasureTarget target;
  std::string python;
  std::string run;
  std::string csv;
  std::string color = "auto";
  std::string sort = "calls";
  measure::LayerChoice layers;
  std::optional<std::size_t> top;
  bool json = false;
  bool force = false;
};

std::vector<std::string> sorts() {
  const auto names = measure::layer_sort_names();
  return {names.begin(), names.end()};
}

void describe(CLI::App& app, MeasureOptions& options) {
  app.add_option("TARGET", options.target.typed,
                 "an entry point ENTRY.py, or what makes the model: FILE.py:NAME or\n"
                 "package.module:NAME")
      ->required()
      ->type_name("");
  app.add_option("--input", options.target.inputs,
                 "what the model is called with: [NAME=]SHAPE[:DTYPE[:BELOW]]; once for each\n"
                 "argument, not with an entry point")
      ->type_name("INPUT")
      ->expected(1)
      ->take_all();
  describe_running(app, options.target.running);
  app.add_flag("--eval", options.target.evaluation,
               "put the model into evaluation mode (else it is measured in the mode it is in)");
  app.add_flag("--no-backward", options.target.no_backward, "leave the backward pass out");
  app.add_option("--repetitions", options.target.repetitions,
                 "forward passes to time (until their median is known); 0 leaves times out")
      ->type_name("N");
  app.add_option("-o,--output", options.run, "a run file to write, for report, compare and gate")
      ->type_name("RUN");
  app.add_option("--csv", options.csv, "a file for the layers, as a table")->type_name("FILE");
  app.add_flag("--json", options.json, "one JSON object with all layers, for machines");
  app.add_option("--depth", options.layers.depth, "show layers only down to this depth (all)")
      ->type_name("N");
  app.add_flag("--flat", options.layers.flat, "no tree: only layers that call no others");
  app.add_option("--sort", options.sort,
                 "the largest first, by parameters, macs, flops, activations, peak or time; calls\n"
                 "is the order in which they were called")
      ->check(CLI::IsMember(sorts()).description(""))
      ->type_name("KEY");
  app.add_option("--top", options.top,
                 "show the most expensive layers, without their tree, and operators; 0 for all")
      ->type_name("N");
  add_color_option(app, options.color);
  describe_python(app, options.python);
  app.add_flag("--force", options.force, "replace files that exist");
  app.footer(
      "Start it in the project's root. Inputs are random: floats are normally distributed, whole\n"
      "numbers are 0 or 1 (uint8: below 256) or below BELOW. --batch-size takes the place of the\n"
      "first number of every shape. --device meta makes the model without data: one of any size\n"
      "needs no memory, and its peaks are computed.\n\n"
      "Examples:\n"
      "  sightline measure entry_point.py -o before.sightline\n"
      "  sightline measure model.py:Net --input 1x3x224x224\n"
      "  sightline measure torchvision.models:resnet18 --input 1x3x224x224 --json\n"
      "  sightline measure my_package.bert:make --input input_ids=1x128:int64:30522\n"
      "  sightline gate before.sightline after.sightline --max macs:+0%");
}

worker::Outcome<worker::MeasuredModel> measure_visibly(const fs::path& python,
                                                       const worker::MeasureRequest& request) {
  const worker::Interrupts interrupts;
  Progress progress;
  progress.show("importing torch");
  const auto process = worker::WorkerProcess::start(python, interrupts.descriptor());
  if (!process) return worker::failure_of_setup(process.error().message);
  auto hello = worker::await_hello(*process.value());
  if (auto* failure = std::get_if<worker::Failure>(&hello)) return std::move(*failure);
  return worker::measure_model(*process.value(), request, [&](const std::string& stage) {
    const std::string_view doing = worker::words_of_stage(stage).doing;
    if (!doing.empty()) progress.show(std::string(doing));
  });
}

Result<void> check_places(const MeasureOptions& options) {
  if (!options.run.empty()) {
    if (Result<void> free = check_way(fs::absolute(options.run), options.force); !free) return free;
  }
  if (options.csv.empty()) return {};
  return check_outputs({options.csv}, options.force);
}

Result<void> write(const MeasureOptions& options, const worker::MeasuredModel& measured) {
  if (!options.run.empty()) {
    RunDraft draft(fs::absolute(options.run).lexically_normal());
    Result<void> written =
        store::write_measurement(draft.path(), measured.info, measured.measurement);
    if (!written) return written;
    if (Result<void> kept = draft.keep(); !kept) return kept;
  }
  if (options.csv.empty()) return {};
  const exports::Table layers = exports::table_of_layers(measured.measurement);
  return exports::write_files({{options.csv, exports::csv_text(layers)}});
}

int print(const MeasureOptions& options, const worker::MeasuredModel& measured) {
  if (options.json) {
    return print_report(measure::render_measurement_json(measured.info, measured.measurement));
  }
  measure::MeasurementText text;
  std::error_code ignored;
  if (!options.run.empty()) {
    text.text.run_path = path_from(fs::current_path(ignored), fs::absolute(options.run));
  }
  text.layers = options.layers;
  text.layers.sort = measure::layer_sort_named(options.sort).value_or(measure::LayerSort::Calls);
  text.top = options.top;
  fit_terminal(options.color, text.text);
  return print_report(measure::render_measurement(measured.info, measured.measurement, text));
}

}  // namespace

int measure_main(const std::vector<std::string>& arguments) {
  CLI::App app("Says what a model costs: parameters, arithmetic, memory and time, by layer.",
               "sightline measure");
  MeasureOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  Result<worker::MeasureRequest> request = request_of(options.target);
  if (!request) return complain(request.error());
  if (const Result<void> free = check_places(options); !free) return complain(free.error());
  const Result<FoundPython> python = find_python(python_search(options.python));
  if (!python) return complain(python.error());
  request->command = typed_command("measure", arguments);

  const auto outcome = measure_visibly(python->path, request.value());
  if (const auto* failure = std::get_if<worker::Failure>(&outcome)) return report_failure(*failure);
  const auto& measured = std::get<worker::MeasuredModel>(outcome);
  if (const Result<void> written = write(options, measured); !written) {
    return complain(written.error());
  }
  return print(options, measured);
}

}  // namespace sightline::cli
