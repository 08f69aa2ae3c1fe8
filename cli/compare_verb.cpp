#include <optional>

#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/report_output.h"
#include "cli/verbs.h"
#include "core/profile/compare/comparison_json.h"
#include "core/profile/compare/report_comparison.h"
#include "core/store/run_reader.h"

namespace sightline::cli {
namespace {

struct CompareOptions {
  std::string before;
  std::string after;
  std::string color = "auto";
  std::size_t top = 15;
  bool json = false;
  std::optional<double> fail_above;
};

void describe(CLI::App& app, CompareOptions& options) {
  app.add_option("A", options.before, "the run file to compare with, from before the change")
      ->required()
      ->type_name("");
  app.add_option("B", options.after, "the run file from after it")->required()->type_name("");
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

}  // namespace

int compare_main(const std::vector<std::string>& arguments) {
  CLI::App app("Says what changed between two recorded runs, and whether it is more than chance.",
               "sightline compare");
  CompareOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  const Result<model::Run> before = store::read_run(options.before, {.events = false});
  if (!before) return complain(before.error());
  const Result<model::Run> after = store::read_run(options.after, {.events = false});
  if (!after) return complain(after.error());
  const profile::Comparison comparison = profile::compare(before.value(), after.value());

  int code = kExitSuccess;
  if (options.json) {
    code = print_report(profile::render_comparison_json(comparison));
  } else {
    profile::TextOptions text;
    text.run_path = options.after;
    text.top = options.top;
    fit_terminal(options.color, text);
    code = print_report(profile::render_comparison(comparison, options.before, text));
  }
  if (code != kExitSuccess || !options.fail_above) return code;
  return check(comparison, *options.fail_above);
}

}  // namespace sightline::cli
