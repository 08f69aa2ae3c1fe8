#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/complaint.h"
#include "cli/demo_files.h"
#include "cli/parse.h"
#include "cli/verbs.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

struct DemoOptions {
  std::string folder = "sightline-demo";
  std::string port;
  std::string python;
  bool no_browser = false;
};

void describe(CLI::App& app, DemoOptions& options) {
  app.add_option("--folder", options.folder, "where to put the example (sightline-demo)")
      ->type_name("FOLDER");
  app.add_option("--port", options.port, "the port of the page (any that is free)")
      ->type_name("PORT");
  app.add_option("--python", options.python, "the Python that runs the example")
      ->type_name("PYTHON");
  app.add_flag("--no-browser", options.no_browser, "only print the address");
  app.footer(
      "The example is a small ResNet on random images. Change its model.py while the page is\n"
      "open, and see what each save changes. Without a terminal a report is printed instead.");
}

// Files that are there already stay as they are: somebody may have worked on them.
Result<void> write_files(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  for (const EmbeddedFile& file : demo_files()) {
    const fs::path path = folder / file.name;
    if (fs::exists(path, failed)) continue;
    std::ofstream stream(path, std::ios::binary);
    stream << file.bytes;
    stream.close();
    if (!stream) return Error{ErrorKind::Io, path.string() + " could not be written"};
  }
  return {};
}

std::vector<std::string> entry_arguments(const DemoOptions& options) {
  std::vector<std::string> arguments = {"entry_point.py"};
  if (!options.python.empty()) arguments.insert(arguments.end(), {"--python", options.python});
  return arguments;
}

int show_page(const DemoOptions& options) {
  std::vector<std::string> arguments = entry_arguments(options);
  if (!options.port.empty()) arguments.insert(arguments.end(), {"--port", options.port});
  if (options.no_browser) arguments.emplace_back("--no-browser");
  return interactive_main(arguments);
}

int print_demo_report(const DemoOptions& options) {
  const std::string run = "demo.sightline";
  std::vector<std::string> arguments = entry_arguments(options);
  arguments.insert(arguments.end(), {"-o", run, "--force", "--no-throughput"});
  const int code = profile_main(arguments);
  return code == kExitSuccess ? report_main({run}) : code;
}

}  // namespace

int demo_main(const std::vector<std::string>& arguments) {
  CLI::App app("Shows what Sightline does, on an example that it brings along.", "sightline demo");
  DemoOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  if (const Result<void> written = write_files(options.folder); !written) {
    return complain(written.error());
  }
  // From here on names are relative to the example.
  if (options.python.find('/') != std::string::npos) {
    options.python = fs::absolute(options.python).string();
  }
  std::error_code failed;
  fs::current_path(options.folder, failed);
  if (failed) return complain("the folder " + options.folder + " cannot be used", "", kExitFailure);
  return isatty(STDOUT_FILENO) == 1 ? show_page(options) : print_demo_report(options);
}

}  // namespace sightline::cli
