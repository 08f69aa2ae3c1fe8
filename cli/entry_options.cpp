#include "cli/entry_options.h"

#include <system_error>

#include "cli/complaint.h"
#include "cli/project_file.h"

namespace sightline::cli {

namespace fs = std::filesystem;

const char* const kEntryPointHelp =
    "Start it in the project's root. The entry point is a Python file with\n"
    "  def sightline_model_provider():                 returns the model\n"
    "  def sightline_input_provider(batch_size=32):    returns the inputs of one iteration\n"
    "  def sightline_iteration_provider(model):        returns a function that runs one\n"
    "Entry points of Skyline and DeepView (skyline_..., deepview_...) work as they are.\n";

void describe_running(CLI::App& app, RunningOptions& options) {
  app.add_option("--batch-size", options.batch_size,
                 "samples in a batch (the default of the input provider)")
      ->check(CLI::Range(1, 1 << 30).description(""))
      ->type_name("N");
  app.add_option("--device", options.device,
                 "where model and inputs are put: cuda, cuda:1, mps, xpu, ...; cpu runs code that\n"
                 "asks for a CUDA device on the CPU, unchanged")
      ->type_name("DEVICE");
  app.add_option("--timeout", options.timeout_s,
                 "seconds that loading, a provider or a few steps may take (120)")
      ->check(CLI::PositiveNumber.description(""))
      ->type_name("S");
}

void describe_entry(CLI::App& app, EntryOptions& options) {
  app.add_option("ENTRY", options.entry, "the entry point: a Python file with three providers")
      ->required()
      ->type_name("");
  describe_running(app, options);
  app.add_flag("--no-throughput", options.no_throughput,
               "leave out steps at other batch sizes, which take most of the time");
}

Result<worker::ProfileRequest> request_of(const EntryOptions& entry, const UserCodeOptions& code) {
  std::error_code no_folder;
  const fs::path root = fs::canonical(".", no_folder);
  if (no_folder) return wrong_use("the current folder does not exist");
  const Result<fs::path> file = find_python_file(entry.entry, "the entry point", root);
  if (!file) return file.error();
  worker::ProfileRequest request;
  request.throughput = !entry.no_throughput;
  request.analysis.entry = file->string();
  request.analysis.root = root.string();
  request.analysis.batch_size = entry.batch_size;
  request.analysis.device = entry.device;
  request.analysis.timeout_s = entry.timeout_s;
  request.analysis.include = code.include;
  return request;
}

}  // namespace sightline::cli
