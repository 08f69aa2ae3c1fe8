#include <utility>

#include "cli/complaint.h"
#include "cli/outputs.h"
#include "cli/parse.h"
#include "cli/report_output.h"
#include "cli/threshold_options.h"
#include "cli/verbs.h"
#include "core/export/write_files.h"
#include "core/measure/report/measurement_report.h"
#include "core/profile/report/report_json.h"
#include "core/profile/report/report_text.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"
#include "core/store/run_reader.h"
#include "core/supervise/report/training_overview.h"
#include "core/supervise/report/verdict_json.h"
#include "server/saved_page/saved_page.h"
#include "server/training/training_copy.h"

namespace sightline::cli {
namespace {

constexpr std::size_t kColumnsOfACurve = 40;

struct ReportOptions {
  std::string run;
  std::string sort;
  std::string by = "line";
  std::string color = "auto";
  std::string html;
  std::vector<std::string> thresholds;  // "NAME=VALUE"
  std::size_t top = 15;
  bool json = false;
  bool force = false;
};

void describe(CLI::App& app, ReportOptions& options) {
  app.add_option("RUN", options.run, "the run file, NAME.sightline")->required()->type_name("");
  CLI::Option* html =
      app.add_option("--html", options.html,
                     "the page of sightline view with the run in it, as one file for any browser;\n"
                     "it needs no server and no network, and has the source that the run keeps")
          ->type_name("FILE");
  app.add_flag("--force", options.force, "replace the file of --html if it exists")->needs(html);
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
  describe_thresholds(
      app, options.thresholds,
      "judge a supervised training anew, from its series, with this threshold of a\n"
      "rule and the defaults of the others; may be repeated");
  add_color_option(app, options.color);
  // In the page all of these are chosen by hand.
  for (const char* other : {"--json", "--by", "--sort", "--top", "--threshold", "--color"}) {
    html->excludes(app.get_option(other));
  }
  app.footer(
      "Examples:\n"
      "  sightline report train.sightline\n"
      "  sightline report train.sightline --by module --top 30\n"
      "  sightline report train.sightline --sort peak        which lines hold the memory\n"
      "  sightline report train.sightline --json | jq '.lines[0]'\n"
      "  sightline report train.sightline --html train.html  to send to somebody");
}

int write_page(const ReportOptions& options) {
  if (const Result<void> free = check_outputs({options.html}, options.force); !free) {
    return complain(free.error());
  }
  const Result<model::Run> run = store::read_run(options.run);
  if (!run) return complain(run.error());
  const Result<std::string> training = server::training_copy(options.run);
  if (!training) return complain(training.error());
  Result<std::string> page =
      server::saved_page(server::page_files(), run.value(), options.run, training.value());
  if (!page) return complain(page.error());
  const std::string size = profile::format_bytes(page->size());
  if (const Result<void> written = exports::write_files({{options.html, std::move(page).value()}});
      !written) {
    return complain(written.error());
  }
  return print_report(profile::printable(options.html) + "  " + size + "  open it in a browser\n");
}

// A measurement has layers in place of lines; `sightline measure` shows them in other orders.
int report_measurement(const model::Run& run, const ReportOptions& options, const CLI::App& app) {
  if (app.count("--by") + app.count("--sort") > 0) {
    return complain(options.run + " is the measurement of a model and lists its layers",
                    "--by and --sort are for recorded runs; --top N shows the most expensive",
                    kExitWrongUse);
  }
  if (options.json) {
    return print_report(measure::render_measurement_json(run.info, *run.measurement));
  }
  measure::MeasurementText text;
  text.text.run_path = options.run;
  if (app.count("--top") > 0) text.top = options.top;
  fit_terminal(options.color, text.text);
  return print_report(measure::render_measurement(run.info, *run.measurement, text));
}

std::string training_section(const supervise::TrainingOverview& training,
                             const profile::TextOptions& text) {
  if (training.empty()) return "";
  return "\nTraining\n" +
         supervise::overview_text(training, {.width = text.width, .ascii = text.ascii});
}

}  // namespace

int report_main(const std::vector<std::string>& arguments) {
  CLI::App app("Shows where the steps of a recorded run spent time and memory.",
               "sightline report");
  ReportOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;
  const Result<supervise::Thresholds> thresholds = thresholds_of(options.thresholds);
  if (!thresholds) return complain(thresholds.error());
  if (!options.html.empty()) return write_page(options);

  const Result<model::Run> run = store::read_run(options.run);
  if (!run) return complain(run.error());
  if (run->measurement) return report_measurement(run.value(), options, app);
  const profile::Breakdown breakdown = profile::break_down(run.value());
  Result<supervise::TrainingOverview> training =
      supervise::read_overview(options.run, kColumnsOfACurve);
  if (!training) return complain(training.error());
  if (!options.thresholds.empty()) {
    auto verdicts = supervise::judge_anew(options.run, thresholds.value());
    if (!verdicts) return complain(verdicts.error());
    training->verdicts = std::move(verdicts).value();
  }
  if (options.json) {
    nlohmann::ordered_json json = profile::report_json(breakdown);
    supervise::add_training(json, training.value());
    return print_report(json.dump(2) + "\n");
  }

  profile::TextOptions text;
  text.run_path = options.run;
  text.by = profile::group_by_named(options.by).value_or(profile::GroupBy::Line);
  text.sort = profile::sort_key_named(options.sort);
  text.top = options.top;
  fit_terminal(options.color, text);
  text.more_sections = training_section(training.value(), text);
  return print_report(profile::render_report(breakdown, text));
}

}  // namespace sightline::cli
