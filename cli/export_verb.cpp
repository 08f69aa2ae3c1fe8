#include <cstdio>
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
#include "core/export/write_files.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"
#include "core/store/run_reader.h"
#include "worker/bootstrap.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;
using exports::OutputFile;

struct ExportOptions {
  std::string run;
  std::string trace;
  std::string csv;
  std::string speedscope;
  std::string parquet;
  std::string flame;
  std::string python;
  bool force = false;
};

// A file that is to be there in the end, and what to say of it then.
struct Promise {
  fs::path path;
  const char* hint;
};

constexpr const char* kTables[] = {"lines", "modules", "operators", "steps", "memory"};

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
  app.add_option("--csv", options.csv,
                 "a folder for lines, modules, operators, steps and memory as .csv files")
      ->type_name("DIR");
  app.add_option("--parquet", options.parquet,
                 "a folder for the same tables as .parquet files; needs Python with pyarrow")
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
      "  sightline export train.sightline --speedscope train.speedscope.json --parquet tables");
}

std::vector<Promise> promises_of(const ExportOptions& options) {
  std::vector<Promise> promises;
  const auto add = [&](const std::string& path, const char* hint) {
    if (!path.empty()) promises.push_back({path, hint});
  };
  add(options.trace, "open it at ui.perfetto.dev");
  add(options.speedscope, "open it at speedscope.app");
  add(options.flame, "open it in a browser");
  for (const std::string table : kTables) {
    if (options.csv.empty()) break;
    add(fs::path(options.csv) / (table + ".csv"), "open it in a spreadsheet, or with pandas");
  }
  for (const std::string table : kTables) {
    if (options.parquet.empty()) break;
    add(fs::path(options.parquet) / (table + ".parquet"), "read it with pandas.read_parquet");
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

  const std::vector<Promise> promises = promises_of(options);
  if (promises.empty()) {
    return complain("which format is to be written?",
                    "for example: sightline export " + options.run + " --trace trace.json",
                    kExitWrongUse);
  }
  std::vector<fs::path> outputs;
  outputs.reserve(promises.size());
  for (const Promise& promise : promises) outputs.push_back(promise.path);
  if (const Result<void> free = check_outputs(outputs, options.force); !free) {
    return complain(free.error());
  }
  const Result<model::Run> run = store::read_run(options.run, {.events = !options.trace.empty()});
  if (!run) return complain(run.error());
  const Result<std::vector<OutputFile>> files = render(run.value(), options);
  if (!files) return complain(files.error());

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
