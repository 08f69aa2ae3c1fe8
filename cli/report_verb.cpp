#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/report_output.h"
#include "cli/verbs.h"
#include "core/profile/report/report_json.h"
#include "core/profile/report/report_text.h"
#include "core/store/run_reader.h"

namespace sightline::cli {
namespace {

struct ReportOptions {
  std::string run;
  std::string sort;
  std::string by = "line";
  std::string color = "auto";
  std::size_t top = 15;
  bool json = false;
};

void describe(CLI::App& app, ReportOptions& options) {
  app.add_option("RUN", options.run, "the run file, NAME.sightline")->required()->type_name("");
  app.add_flag("--json", options.json, "one JSON object with all lines, for machines");
  app.add_option("--by", options.by, "what the main table lists: line, module or operator")
      ->check(CLI::IsMember({"line", "module", "operator"}).description(""))
      ->type_name("WHAT");
  app.add_option("--sort", options.sort,
                 "by self, total, forward, backward, python, calls, memory (bytes a line\n"
                 "allocates, a module's parameters) or peak (bytes alive at the peak)")
      ->check(CLI::IsMember(
                  {"self", "total", "forward", "backward", "python", "calls", "memory", "peak"})
                  .description(""))
      ->type_name("KEY");
  app.add_option("--top", options.top, "rows of the main table, 0 for all (15)")->type_name("N");
  add_color_option(app, options.color);
  app.footer(
      "Examples:\n"
      "  sightline report train.sightline\n"
      "  sightline report train.sightline --by module --top 30\n"
      "  sightline report train.sightline --sort peak        which lines hold the memory\n"
      "  sightline report train.sightline --json | jq '.lines[0]'");
}

}  // namespace

int report_main(const std::vector<std::string>& arguments) {
  CLI::App app("Shows where the steps of a recorded run spent time and memory.",
               "sightline report");
  ReportOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  const Result<model::Run> run = store::read_run(options.run);
  if (!run) return complain(run.error());
  const profile::Breakdown breakdown = profile::break_down(run.value());
  if (options.json) return print_report(profile::render_json(breakdown));

  profile::TextOptions text;
  text.run_path = options.run;
  text.by = profile::group_by_named(options.by).value_or(profile::GroupBy::Line);
  text.sort = profile::sort_key_named(options.sort);
  text.top = options.top;
  fit_terminal(options.color, text);
  return print_report(profile::render_report(breakdown, text));
}

}  // namespace sightline::cli
