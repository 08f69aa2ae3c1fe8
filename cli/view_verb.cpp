#include <filesystem>

#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/serving.h"
#include "cli/verbs.h"
#include "core/store/run_reader.h"
#include "server/view_service.h"

namespace sightline::cli {
namespace {

struct ViewOptions {
  std::vector<std::string> runs;
  ServingOptions serving;
};

void describe(CLI::App& app, ViewOptions& options) {
  app.add_option("RUN", options.runs, "run files, NAME.sightline")->required()->type_name("...");
  describe_serving(app, options.serving);
  app.footer(
      "The code that is shown is what the run has kept of it, as it was when it was recorded.\n\n"
      "Examples:\n"
      "  sightline view train.sightline\n"
      "  sightline view before.sightline after.sightline");
}

}  // namespace

int view_main(const std::vector<std::string>& arguments) {
  CLI::App app("Shows recorded runs in a page.", "sightline view");
  ViewOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  std::vector<std::filesystem::path> runs;
  for (const std::string& name : options.runs) {
    const Result<model::Run> run = store::read_run(name, {.events = false});
    if (!run) return complain(run.error());
    runs.push_back(std::filesystem::absolute(name));
  }
  server::ViewService service(std::move(runs));
  return serve(options.serving,
               {.title = "Sightline shows " + options.runs.front(), .service = service});
}

}  // namespace sightline::cli
