#include "cli/recording_options.h"

#include <cstdlib>
#include <string_view>

#include "cli/run_name.h"
#include "cli/run_plan.h"

namespace sightline::cli {

namespace fs = std::filesystem;

void describe_python(CLI::App& app, std::string& python) {
  app.add_option("--python", python,
                 "the Python to run it with (else that of the active environment, the one\n"
                 "beside this program, or the one on the PATH)")
      ->type_name("PYTHON");
}

void describe_user_code(CLI::App& app, UserCodeOptions& options) {
  app.add_option("--include", options.include,
                 "show the lines of this package too, e.g. transformers; may be repeated")
      ->type_name("PACKAGE")
      ->expected(1)
      ->take_all();
  describe_python(app, options.python);
}

void describe_recording(CLI::App& app, RecordingOptions& options, const std::string& target) {
  app.add_option("-o,--output", options.run,
                 "the run file to write (" + target + "-DATE-TIME.sightline in the current folder)")
      ->type_name("RUN");
  describe_user_code(app, options);
  app.add_flag("--no-source", options.no_source, "keep no text of your files in the run");
  app.add_flag("--force", options.force, "replace an existing run");
}

namespace {

// Of a training that has several processes, as launchers tell each of them.
std::string rank_of_process() {
  const char* rank = std::getenv("RANK");
  const char* world_size = std::getenv("WORLD_SIZE");
  if (rank == nullptr || world_size == nullptr || std::atoi(world_size) < 2) return "";
  const std::string_view digits = rank;
  const bool is_number = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  return is_number ? ".rank" + std::string(digits) : "";
}

fs::path with_rank(fs::path path) {
  const std::string rank = rank_of_process();
  if (rank.empty()) return path;
  const fs::path extension = path.extension();
  return path.replace_extension().concat(rank).concat(extension.string());
}

}  // namespace

fs::path run_path(const RecordingOptions& options, const fs::path& here, const std::string& target,
                  bool module) {
  if (options.run.empty()) {
    return unused_path(here, with_rank(default_run_name_now(target, module)).string());
  }
  return with_rank(fs::absolute(options.run).lexically_normal());
}

std::string typed_command(const std::string& verb, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"sightline", verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return command_line(words);
}

}  // namespace sightline::cli
