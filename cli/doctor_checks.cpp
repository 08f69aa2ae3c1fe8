#include "cli/doctor_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/python_facts.h"
#include "core/base/version.h"
#include "core/profile/report/paint.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/shell_word.h"

namespace sightline::cli {
namespace {

using nlohmann::json;

// The text under that key, or empty if there is none.
std::string text_of(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string()) return "";
  return object[key].get<std::string>();
}

Check check_interpreter(const json& facts, const std::string& why) {
  const std::string version = text_of(facts, "version");
  const std::string implementation = text_of(facts, "implementation");
  Check check{
      "python", true,
      fmt::format("{} {} at {} ({})", implementation, version, text_of(facts, "executable"), why),
      ""};
  int minor = 0;
  const bool is_three = version.starts_with("3.");
  if (is_three) minor = std::atoi(version.c_str() + 2);
  const bool free_threaded = facts.contains("free_threaded") && facts["free_threaded"] == true;
  if (implementation != "CPython" || minor < 10) {
    check.remedy = "use CPython 3.10 or later; choose it with --python";
  } else if (free_threaded) {
    check.found += ", a free-threaded build";
    check.remedy = "free-threaded builds are not supported; use an ordinary build of Python";
  }
  check.ok = check.remedy.empty();
  return check;
}

Check check_package(const json& facts, const std::string& pip) {
  std::string version = text_of(facts["facts"], "sightline");
  if (version.empty()) version = text_of(facts, "sightline");
  if (version.empty()) return {"package", false, "not installed", pip + " install sightline"};
  const std::string found = fmt::format("sightline {}", version);
  if (version == kVersion) return {"package", true, found, ""};
  return {"package", false, fmt::format("{}, but this program is {}", found, kVersion),
          fmt::format("{} install --upgrade sightline=={}", pip, kVersion)};
}

Check check_torch(const json& facts, const std::string& pip) {
  std::string version = text_of(facts["facts"], "torch");
  if (version.empty()) version = text_of(facts, "torch");
  if (version.empty()) return {"torch", false, "not installed", pip + " install torch"};
  return {"torch", true, "torch " + version, ""};
}

Check check_collector(const json& facts) {
  const json& inner = facts["facts"];
  Check check{"collector", false, "", ""};
  if (const std::string failure = text_of(facts, "failure"); !failure.empty()) {
    check.found = "the package cannot be imported: " + failure;
    check.remedy = text_of(inner, "rebuild_command");
    if (check.remedy.empty()) check.remedy = "install sightline again";
  } else if (!inner.is_object()) {
    check.found = "not known: the package does not tell";
    check.remedy = "install the sightline package of this version";
  } else if (const std::string problem = text_of(inner, "problem"); !problem.empty()) {
    check.found = problem;
    check.remedy = text_of(inner, "rebuild_command");
  } else {
    check.ok = true;
    const bool told = inner.contains("collector_built_for");
    const std::string torch = told ? text_of(inner["collector_built_for"], "torch") : "";
    check.found = torch.empty() ? "fits" : "fits, built for torch " + torch;
    const std::string reader =
        inner.contains("collector") ? text_of(inner["collector"], "frame_reader") : "";
    if (!reader.empty()) check.found += ", " + reader + " frame reader";
  }
  return check;
}

}  // namespace

json facts_in(std::string_view output) {
  const std::string_view mark = kFactsMark;
  const std::size_t at = output.rfind(mark);
  if (at == std::string_view::npos) return nullptr;
  std::string_view text = output.substr(at + mark.size());
  text = text.substr(0, text.find('\n'));
  json facts = json::parse(text, nullptr, false);
  return facts.is_object() ? facts : json();
}

std::vector<Check> check_python(const json& facts, const std::string& why) {
  if (!facts.is_object()) {
    return {{"python", false, "the Python gave no answer (" + why + ")",
             "see whether it starts, or choose another one with --python"}};
  }
  json known = facts;
  if (!known.contains("facts")) known["facts"] = nullptr;
  const std::string pip = profile::shell_word(text_of(known, "executable")) + " -m pip";
  std::vector<Check> checks = {check_interpreter(known, why), check_package(known, pip),
                               check_torch(known, pip)};
  if (checks[1].found != "not installed" && checks[2].found != "not installed") {
    checks.push_back(check_collector(known));
  }
  return checks;
}

bool all_ok(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.ok; });
}

std::string render_checks(const std::vector<Check>& checks, bool color) {
  const profile::Paint paint(color);
  std::string text;
  for (const Check& check : checks) {
    text += paint(check.ok ? profile::Style::Optimizer : profile::Style::Hot,
                  check.ok ? "ok       " : "problem  ");
    text += fmt::format("{:<10} {}\n", check.name, profile::printable(check.found));
    if (!check.ok && !check.remedy.empty()) {
      text += fmt::format("{:20}do: {}\n", "", profile::printable(check.remedy));
    }
  }
  return text;
}

nlohmann::ordered_json checks_json(const std::vector<Check>& checks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    list.push_back(
        {{"name", check.name},
         {"ok", check.ok},
         {"found", profile::valid_utf8(check.found)},
         {"remedy", check.ok ? nlohmann::ordered_json()
                             : nlohmann::ordered_json(profile::valid_utf8(check.remedy))}});
  }
  return {{"version", kVersion}, {"ok", all_ok(checks)}, {"checks", list}};
}

}  // namespace sightline::cli
