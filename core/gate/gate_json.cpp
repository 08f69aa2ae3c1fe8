#include "core/gate/gate_reports.h"
#include "core/profile/report/json_values.h"

namespace sightline::gate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kGateFormat = 1;

constexpr std::string_view unit_name(profile::Unit unit) {
  constexpr std::string_view kNames[] = {"count", "bytes", "ms", "per second"};
  return kNames[static_cast<std::size_t>(unit)];
}

Json check_json(const Check& check) {
  const std::optional<double> percent = check.percent();
  return {{"metric", std::string(check.base.metric.name)},
          {"unit", std::string(unit_name(check.base.metric.unit))},
          {"base", *check.base.value},
          {"new", *check.now.value},
          {"percent", percent ? Json(*percent) : Json()},
          {"limit", profile::text(check.limit.text)},
          {"side", check.limit.side == Side::AtMost ? "at most" : "at least"},
          {"bound", check.bound},
          {"noise", check.noise},
          {"verdict", std::string(name_of(check.outcome))}};
}

}  // namespace

std::string render_gate_json(const GateReport& report) {
  Json json = {{"format", kGateFormat},
               {"base", profile::text(report.base_name)},
               {"new", profile::text(report.now_name)},
               {"passed", !report.failed()},
               {"strict", report.strict},
               {"checks", Json::array()},
               {"notes", Json::array()}};
  for (const Check& check : report.checks.checks) json["checks"].push_back(check_json(check));
  for (const std::string& note : report.checks.notes) json["notes"].push_back(profile::text(note));
  return json.dump(2) + "\n";
}

}  // namespace sightline::gate
