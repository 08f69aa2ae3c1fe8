#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "cli/child_process.h"
#include "cli/complaint.h"
#include "cli/outputs.h"
#include "cli/parse.h"
#include "cli/python_search.h"
#include "cli/verbs.h"
#include "core/export/chrome_trace.h"
#include "core/export/csv_tables.h"
#include "core/export/flame_graph.h"
#include "core/export/speedscope.h"
#include "core/export/tensorboard.h"
#include "core/export/training_tables.h"
#include "core/export/write_files.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"
#include "core/store/run_reader.h"
#include "core/store/training_reader.h"
#include "worker/bootstrap.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;
using exports::OutputFile;

// TensorBoard looks for a name with "tfevents" in it. Always the same, so that a second export
// replaces the first in place of standing beside it.
constexpr const char* kEventsName = "events.out.tfevents.0.run";

struct ExportOptions {
  std::string run;
  std::string trace;
  std::string csv;
  std::string speedscope;
  std::string parquet;
  std::string flame;
  std::string tensorboard;
  std::string python;
  bool force = false;
};

// A file that is to be there in the end, and what to say of it then.
struct Promise {
  fs::path path;
  const char* hint;
};

void describe(CLI::App& app, ExportOptions& options) {
  app.add_option("RUN", options.run, "the run file, NAME.sightline")->required()->type_name("");
  app.add_option("--trace", options.trace,
                 "the sampled steps, operator by operator, for ui.perfetto.dev or chrome://tracing")
      ->type_name("FILE");
  app.add_option("--speedscope", options.speedscope,
                 "time by calling context and memory at the peak, for speedscope.app")
      ->type_name("FILE");
  app.add_option("--flame", options.flame, "a flame graph of a step, a picture for any browser")
      ->type_name("FILE.svg");
  app.add_option(
         "--csv", options.csv,
         "a folder for lines, modules, operators, steps and memory as .csv files, with the\n"
         "series of a supervised training; of a measurement, for its layers")
      ->type_name("DIR");
  app.add_option("--parquet", options.parquet,
                 "a folder for the same tables as .parquet files; needs Python with pyarrow")
      ->type_name("DIR");
  app.add_option("--tensorboard", options.tensorboard,
                 "a folder for the series and histograms of a supervised training, for TensorBoard")
      ->type_name("DIR");
  app.add_option("--python", options.python, "the Python to write them with (as for sightline run)")
      ->type_name("PYTHON");
  app.add_flag("--force", options.force, "replace files that exist");
  app.footer(
      "Several can be given at once. A file appears when all of it is written.\n\n"
      "Examples:\n"
      "  sightline export train.sightline --trace train.json      see single operators in time\n"
      "  sightline export train.sightline --flame train.svg       see a step at a glance\n"
      "  sightline export train.sightline --csv tables --force    compute with the numbers\n"
      "  sightline export train.sightline --tensorboard logs      the curves of a training\n"
      "  sightline export train.sightline --speedscope train.speedscope.json --parquet tables");
}

bool is_asked_for_anything(const ExportOptions& options) {
  return !(options.trace.empty() && options.csv.empty() && options.speedscope.empty() &&
           options.parquet.empty() && options.flame.empty() && options.tensorboard.empty());
}

Result<void> check_kind(const model::Run& run, const ExportOptions& options) {
  const bool only_tables = options.trace.empty() && options.speedscope.empty() &&
                           options.flame.empty() && options.parquet.empty() &&
                           options.tensorboard.empty();
  if (!run.measurement || only_tables) return {};
  return wrong_use(options.run +
                   " is the measurement of a model and has no steps; --csv DIR writes its layers");
}

// The tables and events of a supervised training, which most runs do not have. The .parquet tables
// are only named: Python writes them.
struct TrainingFiles {
  std::vector<OutputFile> files;
  std::vector<fs::path> parquet;
};

Result<TrainingFiles> render_training(const ExportOptions& options) {
  TrainingFiles made;
  const Result<store::TrainingReader> training = store::TrainingReader::open(options.run);
  if (!training) return training.error();
  const auto series = training->series();
  if (!series) return series.error();
  if (series->empty()) {
    if (options.tensorboard.empty()) return made;
    return wrong_use(options.run + " has no series; sightline run --supervise SCRIPT records them");
  }
  if (!options.csv.empty()) {
    const auto tables = exports::training_tables(training.value());
    if (!tables) return tables.error();
    for (const exports::Table& table : tables.value()) {
      made.files.push_back(
          {fs::path(options.csv) / (table.name + ".csv"), exports::csv_text(table)});
    }
  }
  for (const char* table : exports::kTrainingTables) {
    if (options.parquet.empty()) break;
    made.parquet.push_back(fs::path(options.parquet) / (std::string(table) + ".parquet"));
  }
  if (!options.tensorboard.empty()) {
    const std::time_t now = std::time(nullptr);
    auto events = exports::tensorboard_events(training.value(), static_cast<double>(now));
    if (!events) return events.error();
    made.files.push_back({fs::path(options.tensorboard) / kEventsName, std::move(events).value()});
  }
  return made;
}

std::vector<Promise> promises_of(const ExportOptions& options, const model::Run& run,
                                 const TrainingFiles& of_training) {
  const std::vector<std::string> tables = exports::names_of_tables(run);
  std::vector<Promise> promises;
  const auto add = [&](const std::string& path, const char* hint) {
    if (!path.empty()) promises.push_back({path, hint});
  };
  add(options.trace, "open it at ui.perfetto.dev");
  add(options.speedscope, "open it at speedscope.app");
  add(options.flame, "open it in a browser");
  for (const std::string& table : tables) {
    if (options.csv.empty()) break;
    add(fs::path(options.csv) / (table + ".csv"), "open it in a spreadsheet, or with pandas");
  }
  for (const std::string& table : tables) {
    if (options.parquet.empty()) break;
    add(fs::path(options.parquet) / (table + ".parquet"), "read it with pandas.read_parquet");
  }
  for (const fs::path& path : of_training.parquet) {
    add(path.string(), "read it with pandas.read_parquet");
  }
  for (const OutputFile& file : of_training.files) {
    const bool events = file.path.filename() == kEventsName;
    add(file.path.string(), events ? "see it with tensorboard --logdir DIR"
                                   : "open it in a spreadsheet, or with pandas");
  }
  return promises;
}

Result<std::vector<OutputFile>> render(const model::Run& run, const ExportOptions& options) {
  std::vector<OutputFile> files;
  if (!options.trace.empty()) {
    Result<std::string> trace = exports::chrome_trace(run);
    if (!trace) return trace.error();
    files.push_back({options.trace, std::move(trace).value()});
  }
  if (!options.speedscope.empty()) files.push_back({options.speedscope, exports::speedscope(run)});
  if (!options.flame.empty()) files.push_back({options.flame, exports::flame_graph(run)});
  if (!options.csv.empty()) {
    for (const exports::Table& table : exports::tables_of(run)) {
      files.push_back({fs::path(options.csv) / (table.name + ".csv"), exports::csv_text(table)});
    }
  }
  return files;
}

// The Python process says itself what is wrong.
int write_parquet(const FoundPython& python, const ExportOptions& options) {
  worker::Command command;
  command.program = python.path.string();
  command.arguments = {"-c", worker::bootstrap("sightline._parquet", "pyarrow"), options.run,
                       options.parquet};
  const Result<Ending> ending = run_in_our_place(command);
  if (!ending) return complain(ending.error());
  if (ending->signal != 0) {
    return complain("the Python that was to write the .parquet files was killed by signal " +
                        std::to_string(ending->signal),
                    "", kExitFailure);
  }
  return ending->exit_code == 0 ? kExitSuccess : kExitFailure;
}

int announce(const std::vector<Promise>& promises) {
  for (const Promise& promise : promises) {
    std::error_code ignored;
    const std::string size = profile::format_bytes(fs::file_size(promise.path, ignored));
    std::printf("%s  %s  %s\n", profile::printable(promise.path.string()).c_str(), size.c_str(),
                promise.hint);
  }
  return std::fflush(stdout) == 0 ? kExitSuccess : kExitFailure;
}

}  // namespace

int export_main(const std::vector<std::string>& arguments) {
  CLI::App app("Writes a recorded run in the formats of other programs.", "sightline export");
  ExportOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  if (!is_asked_for_anything(options)) {
    return complain("which format is to be written?",
                    "for example: sightline export " + options.run + " --trace trace.json",
                    kExitWrongUse);
  }
  const Result<model::Run> run = store::read_run(options.run, {.events = !options.trace.empty()});
  if (!run) return complain(run.error());
  if (const Result<void> fits = check_kind(run.value(), options); !fits) {
    return complain(fits.error());
  }
  const Result<TrainingFiles> of_training = render_training(options);
  if (!of_training) return complain(of_training.error());
  const std::vector<Promise> promises = promises_of(options, run.value(), of_training.value());
  std::vector<fs::path> outputs;
  outputs.reserve(promises.size());
  for (const Promise& promise : promises) outputs.push_back(promise.path);
  if (const Result<void> free = check_outputs(outputs, options.force); !free) {
    return complain(free.error());
  }
  Result<std::vector<OutputFile>> files = render(run.value(), options);
  if (!files) return complain(files.error());
  files->insert(files->end(), of_training->files.begin(), of_training->files.end());

  if (!options.parquet.empty()) {
    const Result<FoundPython> python = find_python(python_search(options.python));
    if (!python) return complain(python.error());
    if (const int code = write_parquet(python.value(), options); code != kExitSuccess) return code;
  }
  if (const Result<void> written = exports::write_files(files.value()); !written) {
    return complain(written.error());
  }
  return announce(promises);
}

}  // namespace sightline::cli
