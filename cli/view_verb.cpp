#include <filesystem>

#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/serving.h"
#include "cli/verbs.h"
#include "core/base/safe_text.h"
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
      "The code that is shown is what the run has kept of it, as it was when it was recorded.\n"
      "A run that is still being written can be opened too: a supervised training is followed.\n\n"
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

  const auto service = server::ViewService::open({options.runs.begin(), options.runs.end()});
  if (!service) return complain(service.error());
  return serve(options.serving,
               {.title = "Sightline shows " + printable(options.runs.front()),
                .service = *service.value(),
                .begin = [&](server::HttpServer& server) { service.value()->follow(server); }});
}

}  // namespace sightline::cli
