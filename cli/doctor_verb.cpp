#include <unistd.h>

#include <cstdio>

#include "cli/complaint.h"
#include "cli/doctor_checks.h"
#include "cli/parse.h"
#include "cli/python_facts.h"
#include "cli/python_search.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "core/base/version.h"
#include "worker/exec.h"

namespace sightline::cli {
namespace {

constexpr int kPythonTimeoutSeconds = 120;  // importing torch from a cold disk takes its time

std::vector<Check> ask_python(const std::string& wanted) {
  const Result<FoundPython> python = find_python(python_search(wanted));
  if (!python) return {{"python", false, python.error().message, "choose one with --python"}};
  const Result<std::string> output =
      worker::output_of({python->path.string(), {"-c", kFactsScript}, {}}, kPythonTimeoutSeconds);
  if (!output) return {{"python", false, output.error().message, "choose another with --python"}};
  return check_python(facts_in(output.value()), python->why);
}

}  // namespace

int doctor_main(const std::vector<std::string>& arguments) {
  CLI::App app("Tells what is installed, what fits together, and what to do about what does not.",
               "sightline doctor");
  std::string python;
  std::string color = "auto";
  bool json = false;
  app.add_option("--python", python, "the Python to look at (the one `sightline run` would take)")
      ->type_name("PYTHON");
  app.add_flag("--json", json, "one JSON object, for machines");
  app.add_option("--color", color, "auto (only on a terminal), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("WHEN");
  app.footer("Example:\n  sightline doctor --python .venv/bin/python");
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  std::vector<Check> checks = {{"program", true, std::string("sightline ") + kVersion, ""}};
  for (const std::vector<Check>& part : {ask_python(python), check_machine()}) {
    checks.insert(checks.end(), part.begin(), part.end());
  }
  const bool colored = use_color(color_when_named(color).value_or(ColorWhen::Auto), STDOUT_FILENO);
  const std::string text =
      json ? checks_json(checks).dump(2) + "\n" : render_checks(checks, colored);
  std::fputs(text.c_str(), stdout);
  return all_ok(checks) ? kExitSuccess : kExitFailure;
}

}  // namespace sightline::cli
