#include <optional>

#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/report_output.h"
#include "cli/verbs.h"
#include "core/measure/compare/comparison_reports.h"
#include "core/profile/compare/comparison_json.h"
#include "core/profile/compare/report_comparison.h"
#include "core/store/run_reader.h"

namespace sightline::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> runs;
  std::string color = "auto";
  std::size_t top = 15;
  bool json = false;
  std::optional<double> fail_above;
};

void describe(CLI::App& app, CompareOptions& options) {
  app.add_option("RUNS", options.runs,
                 "the run file to compare with, from before the change, and that from after it;\n"
                 "measurements of models also more than two")
      ->required()
      ->type_name("A B");
  app.add_flag("--json", options.json, "one JSON object with all lines, for machines");
  app.add_option("--top", options.top, "rows of lines and of modules, 0 for all (15)")
      ->type_name("N");
  add_color_option(app, options.color);
  app.add_option("--fail-above", options.fail_above,
                 "exit with 1 if a step takes longer by more than so many percent beyond its\n"
                 "noise, or the peak of memory is higher by more than that")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("PERCENT");
  app.footer(
      "Examples:\n"
      "  sightline run -o before.sightline train.py\n"
      "  sightline run -o after.sightline train.py           with the change\n"
      "  sightline compare before.sightline after.sightline\n"
      "  sightline compare before.sightline after.sightline --fail-above 5 && echo good\n"
      "  sightline compare before.sightline after.sightline --json | jq '.iteration.wall_ms'\n"
      "  sightline compare small.sightline medium.sightline large.sightline    of models\n"
      "\n"
      "Lines are matched by their text, so code may move between the runs. A difference counts\n"
      "if it is larger than its noise; docs/compare.md has the rules.");
}

// The exit code of a check, and why it is not 0.
int check(const profile::Comparison& comparison, double percent) {
  if (!comparison.timed) {
    return complain("the check could not be made: the times of the two runs cannot be compared",
                    comparison.notes.front(), kExitFailure);
  }
  const bool slower = profile::slower_by_more_than(comparison, percent);
  const bool higher = profile::peak_higher_by_more_than(comparison, percent);
  if (!slower && !higher) return kExitSuccess;
  const std::string what = slower && higher ? "the step is slower and the peak of memory is higher"
                           : slower         ? "the step is slower"
                                            : "the peak of memory is higher";
  return complain(what + " by more than --fail-above allows", "", kExitFailure);
}

int compare_two_runs(const std::vector<model::Run>& runs, const CompareOptions& options) {
  const profile::Comparison comparison = profile::compare(runs[0], runs[1]);
  int code = kExitSuccess;
  if (options.json) {
    code = print_report(profile::render_comparison_json(comparison));
  } else {
    profile::TextOptions text;
    text.run_path = options.runs[1];
    text.top = options.top;
    fit_terminal(options.color, text);
    code = print_report(profile::render_comparison(comparison, options.runs[0], text));
  }
  if (code != kExitSuccess || !options.fail_above) return code;
  return check(comparison, *options.fail_above);
}

int compare_models(const std::vector<model::Run>& runs, const CompareOptions& options) {
  if (options.fail_above) {
    return complain("--fail-above is for recorded runs",
                    "sightline gate checks measurements: sightline gate A B --max macs:+5%",
                    kExitWrongUse);
  }
  std::vector<const model::Run*> compared;
  compared.reserve(runs.size());
  for (const model::Run& run : runs) compared.push_back(&run);
  const measure::MeasurementComparison comparison = measure::compare_measurements(compared);
  if (options.json) {
    return print_report(measure::render_compared_measurements_json(comparison, options.runs));
  }
  profile::TextOptions text;
  text.top = options.top;
  fit_terminal(options.color, text);
  return print_report(measure::render_compared_measurements(comparison, options.runs, text));
}

Result<std::vector<model::Run>> read_all(const std::vector<std::string>& paths) {
  std::vector<model::Run> runs;
  runs.reserve(paths.size());
  for (const std::string& path : paths) {
    Result<model::Run> run = store::read_run(path, {.events = false});
    if (!run) return run.error();
    if (!runs.empty() && runs[0].measurement.has_value() != run->measurement.has_value()) {
      const bool first = runs[0].measurement.has_value();
      return wrong_use((first ? paths[0] : path) + " is the measurement of a model, and " +
                       (first ? path : paths[0]) + " a recorded run; compare two of a kind");
    }
    runs.push_back(std::move(run).value());
  }
  return runs;
}

}  // namespace

int compare_main(const std::vector<std::string>& arguments) {
  CLI::App app("Says what changed between runs or models, and whether it is more than chance.",
               "sightline compare");
  CompareOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;
  if (options.runs.size() < 2) {
    return complain("what is " + options.runs.front() + " to be compared with?",
                    "sightline compare A B", kExitWrongUse);
  }

  const Result<std::vector<model::Run>> runs = read_all(options.runs);
  if (!runs) return complain(runs.error());
  if (runs->front().measurement) return compare_models(runs.value(), options);
  if (runs->size() > 2) {
    return complain("recorded runs are compared two at a time", "sightline compare A B",
                    kExitWrongUse);
  }
  return compare_two_runs(runs.value(), options);
}

}  // namespace sightline::cli
