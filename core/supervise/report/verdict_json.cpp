#include "core/supervise/report/verdict_json.h"

#include <cmath>
#include <optional>

#include "core/base/safe_text.h"

namespace sightline::supervise {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& value) {
  return value.empty() ? Json() : Json(valid_utf8(value));
}

Json verdict_json(const model::Verdict& verdict) {
  Json evidence = Json::object();
  for (const auto& [name, value] : verdict.evidence) {
    evidence[valid_utf8(name)] = std::isfinite(value) ? Json(value) : Json();
  }
  return {{"rule", valid_utf8(verdict.rule)},
          {"severity", name_of(verdict.severity)},
          {"step", verdict.step},
          {"module", text_or_null(verdict.module)},
          {"tensor", text_or_null(verdict.tensor)},
          {"topic", text_or_null(verdict.topic)},
          {"operator", text_or_null(verdict.origin.operator_name)},
          {"file", text_or_null(verdict.origin.file)},
          {"line", verdict.origin.line == 0 ? Json() : Json(verdict.origin.line)},
          {"evidence", evidence},
          {"cause", valid_utf8(verdict.cause)},
          {"advice", valid_utf8(verdict.advice)}};
}

}  // namespace

Json verdicts_json(const std::vector<model::Verdict>& verdicts) {
  Json rows = Json::array();
  for (const model::Verdict& verdict : verdicts) rows.push_back(verdict_json(verdict));
  return rows;
}

Json supervision_json(const TrainingOverview& overview) {
  if (!overview.looked_at || overview.steps == 0) return {};
  const auto or_null = [](const std::optional<std::uint64_t>& number) {
    return number ? Json(*number) : Json();
  };
  return {{"steps", overview.steps},
          {"looked_at_steps", *overview.looked_at},
          {"looked_at_share",
           static_cast<double>(*overview.looked_at) / static_cast<double>(overview.steps)},
          {"update_copy_bytes", or_null(overview.update_copy_bytes)},
          {"update_sampled_one_of", or_null(overview.update_sampled_one_of)}};
}

void add_training(Json& report, const TrainingOverview& overview) {
  report["verdicts"] = verdicts_json(overview.verdicts);
  report["supervision"] = supervision_json(overview);
}

}  // namespace sightline::supervise
