#include "cli/complaint.h"
#include "cli/entry_options.h"
#include "cli/parse.h"
#include "cli/python_search.h"
#include "cli/scratch_folder.h"
#include "cli/serving.h"
#include "cli/verbs.h"
#include "core/base/safe_text.h"
#include "server/live_service.h"

namespace sightline::cli {
namespace {

struct InteractiveOptions {
  EntryOptions entry;
  UserCodeOptions code;
  ServingOptions serving;
  bool no_watch = false;
};

void describe(CLI::App& app, InteractiveOptions& options) {
  describe_entry(app, options.entry);
  describe_serving(app, options.serving);
  app.add_flag("--no-watch", options.no_watch,
               "analyse when asked to in the page, not whenever a file is saved");
  describe_user_code(app, options.code);
  app.footer(std::string(kEntryPointHelp) +
             "\nWhile it runs, edit your code with any editor: the page shows what each save has\n"
             "changed, and compares results with each other and with run files of the folder.\n"
             "From another machine: ssh -L 8700:localhost:8700 HOST, and --port 8700.\n\n"
             "Examples:\n"
             "  sightline interactive entry_point.py\n"
             "  sightline interactive entry_point.py --port 8700 --no-browser");
}

}  // namespace

int interactive_main(const std::vector<std::string>& arguments) {
  CLI::App app("Shows where the time and memory of a step go, in a page that follows your edits.",
               "sightline interactive");
  InteractiveOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  Result<worker::ProfileRequest> request = request_of(options.entry, options.code);
  if (!request) return complain(request.error());
  const Result<FoundPython> python = find_python(python_search(options.code.python));
  if (!python) return complain(python.error());
  const Result<ScratchFolder> scratch = ScratchFolder::make();
  if (!scratch) return complain(scratch.error());

  request->analysis.command = typed_command("interactive", arguments);
  server::SessionOptions session;
  session.root = request->analysis.root;
  session.python = python->path;
  session.scratch = scratch->path();
  session.request = std::move(request).value();
  session.analyse_on_save = !options.no_watch;
  server::LiveService service;
  return serve(options.serving,
               {.title = "Sightline watches " + printable(session.root.string()),
                .service = service,
                .begin = [&](server::HttpServer& server) { service.open(session, server); },
                .end = [&] { service.close(); }});
}

}  // namespace sightline::cli
