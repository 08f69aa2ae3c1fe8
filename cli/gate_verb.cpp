#include <fmt/format.h>

#include <cstdio>

#include "cli/complaint.h"
#include "cli/outputs.h"
#include "cli/parse.h"
#include "cli/report_output.h"
#include "cli/verbs.h"
#include "core/export/write_files.h"
#include "core/gate/gate_reports.h"
#include "core/store/run_reader.h"

namespace sightline::cli {
namespace {

struct GateOptions {
  std::string base;
  std::string now;
  std::vector<std::string> most;
  std::vector<std::string> least;
  std::string annotations;
  std::string markdown;
  std::string junit;
  std::string color = "auto";
  bool json = false;
  bool strict = false;
};

std::string metrics_help() {
  std::string text;
  for (const bool measured : {true, false}) {
    text += measured ? "Metrics of models (sightline measure):\n"
                     : "Metrics of recorded runs (sightline profile, sightline run):\n";
    for (const profile::Metric& metric : gate::known_metrics(measured)) {
      text += fmt::format("  {:<22}{}\n", std::string(metric.name), std::string(metric.about));
    }
  }
  return text;
}

void describe(CLI::App& app, GateOptions& options) {
  app.add_option("BASE", options.base, "the run file that sets the limits")
      ->required()
      ->type_name("");
  app.add_option("NEW", options.now, "the run file to be checked")->required()->type_name("");
  const auto add_limits = [&](const char* name, std::vector<std::string>& limits,
                              const char* about) {
    app.add_option(name, limits, about)->type_name("METRIC:LIMIT")->expected(1)->take_all();
  };
  add_limits("--max", options.most,
             "what a figure may be at most: +5% or +2MiB more than in BASE, -10% (so much less),\n"
             "or 20MiB whatever BASE has; may be repeated");
  add_limits("--min", options.least, "what a figure has to be at least, likewise");
  app.add_flag("--strict", options.strict, "what the noise leaves undecided fails too");
  app.add_option("--annotations", options.annotations,
                 "github: lines that GitHub shows beside the job, for limits not kept")
      ->check(CLI::IsMember({"github"}).description(""))
      ->type_name("FORM");
  app.add_option("--markdown", options.markdown, "a file for a table in Markdown; it is replaced")
      ->type_name("FILE");
  app.add_option("--junit", options.junit, "a file for test results as JUnit's XML; it is replaced")
      ->type_name("FILE");
  app.add_flag("--json", options.json, "one JSON object, for machines");
  add_color_option(app, options.color);
  app.footer(
      metrics_help() +
      "\nA time is beyond its limit if it is by more than its noise. The exit code is 1 if a\n"
      "limit is exceeded, 2 for wrong use. docs/ci.md has a workflow.\n\n"
      "Examples:\n"
      "  sightline gate base.sightline new.sightline --max macs:+0% --max "
      "execution_time:+5%\n"
      "  sightline gate base.sightline new.sightline --max peak_bytes:+2% --junit gate.xml\n"
      "  sightline gate base.sightline new.sightline --min samples_per_second:-5%");
}

Result<std::vector<gate::Limit>> limits_of(const GateOptions& options) {
  std::vector<gate::Limit> limits;
  const auto add = [&](gate::Side side, const std::vector<std::string>& typed) -> Result<void> {
    for (const std::string& one : typed) {
      Result<gate::Limit> limit = gate::parse_limit(side, one);
      if (!limit) return limit.error();
      limits.push_back(std::move(limit).value());
    }
    return {};
  };
  if (const Result<void> most = add(gate::Side::AtMost, options.most); !most) return most.error();
  if (const Result<void> least = add(gate::Side::AtLeast, options.least); !least) {
    return least.error();
  }
  if (limits.empty()) {
    return wrong_use("which limits are to be kept? for example: --max macs:+0%");
  }
  return limits;
}

std::vector<std::filesystem::path> outputs_of(const GateOptions& options) {
  std::vector<std::filesystem::path> files;
  if (!options.markdown.empty()) files.emplace_back(options.markdown);
  if (!options.junit.empty()) files.emplace_back(options.junit);
  return files;
}

Result<void> write_files(const GateOptions& options, const gate::GateReport& report) {
  std::vector<exports::OutputFile> files;
  if (!options.markdown.empty()) {
    files.push_back({options.markdown, gate::render_gate_markdown(report)});
  }
  if (!options.junit.empty()) files.push_back({options.junit, gate::render_gate_junit(report)});
  if (files.empty()) return {};
  return exports::write_files(files);
}

int print(const GateOptions& options, const gate::GateReport& report) {
  const std::string annotations =
      options.annotations.empty() ? "" : gate::render_github_annotations(report);
  if (options.json) {
    // GitHub reads both streams, and what reads the object finds nothing else beside it.
    std::fputs(annotations.c_str(), stderr);
    return print_report(gate::render_gate_json(report));
  }
  profile::TextOptions text;
  fit_terminal(options.color, text);
  return print_report(gate::render_gate(report, text) + annotations);
}

}  // namespace

int gate_main(const std::vector<std::string>& arguments) {
  CLI::App app("Checks that a run, or a model, stays within limits that another one sets.",
               "sightline gate");
  GateOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  const Result<std::vector<gate::Limit>> limits = limits_of(options);
  if (!limits) return complain(limits.error());
  if (const Result<void> free = check_outputs(outputs_of(options), true); !free) {
    return complain(free.error());
  }
  const Result<model::Run> base = store::read_run(options.base, {.events = false});
  if (!base) return complain(base.error());
  const Result<model::Run> now = store::read_run(options.now, {.events = false});
  if (!now) return complain(now.error());
  Result<gate::Checks> checks = gate::check(base.value(), now.value(), limits.value());
  if (!checks) return complain(checks.error());

  const gate::GateReport report{std::move(checks).value(), options.base, options.now,
                                options.strict};
  if (const Result<void> written = write_files(options, report); !written) {
    return complain(written.error());
  }
  const int code = print(options, report);
  if (code != kExitSuccess) return code;
  return report.failed() ? kExitFailure : kExitSuccess;
}

}  // namespace sightline::cli
