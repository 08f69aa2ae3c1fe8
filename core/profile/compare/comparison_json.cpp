#include "core/profile/compare/comparison_json.h"

#include <cmath>
#include <cstdint>

#include "core/profile/report/json_values.h"

namespace sightline::profile {
namespace {

using Json = nlohmann::ordered_json;
using model::Category;

constexpr double kNsInMs = 1e6;

Json or_null(const std::optional<double>& value, double unit = 1.0) {
  return value ? Json(*value / unit) : Json();
}

Json change_json(const Change& change, double unit) {
  const bool judged = change.known() || change.verdict != Verdict::Same;
  return {{"before", or_null(change.before, unit)},
          {"after", or_null(change.after, unit)},
          {"difference", judged && change.measured() ? Json(change.difference() / unit) : Json()},
          {"percent", or_null(change.percent())},
          {"noise", judged && change.measured() ? Json(change.noise / unit) : Json()},
          {"verdict", judged ? Json(std::string(name_of(change.verdict))) : Json()}};
}

Json ms(const Change& change) { return change_json(change, kNsInMs); }

// Bytes are whole; what a double cannot count one by one stays a double.
Json whole(double value) {
  constexpr double kExact = 9e15;
  return std::abs(value) < kExact ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json bytes(const Change& change) {
  Json json = change_json(change, 1.0);
  for (const char* key : {"before", "after", "difference", "noise"}) {
    if (json[key].is_number()) json[key] = whole(json[key].get<double>());
  }
  return json;
}

Json place_json(const std::optional<LineRow>& row) {
  if (!row) return {};
  return {{"file", text(row->file)},
          {"line", row->line},
          {"function", text(row->function)},
          {"source", row->source ? text(*row->source) : Json()}};
}

Json iteration_json(const Comparison& comparison) {
  const Breakdown& a = comparison.before;
  const Breakdown& b = comparison.after;
  return {{"wall_ms", ms(comparison.step)},
          {"median_ms", ms(comparison.median)},
          {"p95_ms", ms(comparison.p95)},
          {"samples_per_second", change_json(comparison.samples_per_second, 1.0)},
          {"sample_ms", ms(comparison.sample)},
          {"batch_size",
           {{"before", number_or_null(a.batch_size)}, {"after", number_or_null(b.batch_size)}}},
          {"steps", {{"before", a.counted_steps}, {"after", b.counted_steps}}}};
}

Json phases_json(const Comparison& comparison) {
  Json phases = Json::object();
  for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
    const std::string name(model::name_of(static_cast<model::Phase>(phase)));
    phases[name + "_ms"] = ms(comparison.phases[phase]);
  }
  return phases;
}

Json lines_json(const Comparison& comparison) {
  Json lines = Json::array();
  for (const LineChange& line : comparison.lines) {
    lines.push_back({{"a", place_json(line.before)},
                     {"b", place_json(line.after)},
                     {"verdict", std::string(name_of(line.self.verdict))},
                     {"self_ms", ms(line.self)},
                     {"total_ms", ms(line.total)},
                     {"peak_bytes", bytes(line.peak_bytes)}});
  }
  return lines;
}

Json modules_json(const Comparison& comparison) {
  Json modules = Json::array();
  for (const ModuleChange& module : comparison.modules) {
    modules.push_back({{"path", text(module.path)},
                       {"type", text(module.type)},
                       {"verdict", std::string(name_of(module.total.verdict))},
                       {"total_ms", ms(module.total)},
                       {"self_ms", ms(module.self)},
                       {"parameter_bytes", bytes(module.parameter_bytes)},
                       {"activation_bytes", bytes(module.activation_bytes)}});
  }
  return modules;
}

Json memory_json(const Comparison& comparison) {
  // As in the report, buffers are a part of "other".
  Json at_peak = Json::object();
  for (const Category category : {Category::Parameter, Category::Gradient, Category::Optimizer,
                                  Category::Activation, Category::Input, Category::Temporary}) {
    at_peak[std::string(model::name_of(category))] =
        bytes(comparison.at_peak[static_cast<std::size_t>(category)]);
  }
  at_peak["other"] = bytes(comparison.other_with_buffers);
  return {{"peak_bytes", bytes(comparison.peak_bytes)},
          {"process_peak_bytes", bytes(comparison.process_peak_bytes)},
          {"at_peak", at_peak},
          {"buffers_bytes", bytes(comparison.at_peak[static_cast<std::size_t>(Category::Buffer)])}};
}

}  // namespace

Json comparison_json(const Comparison& comparison) {
  Json json = Json::object();
  json["format"] = kComparisonFormat;
  json["a"] = run_json(comparison.before.info);
  json["b"] = run_json(comparison.after.info);
  json["differs"] = Json::array();
  for (const Difference& difference : comparison.differs) {
    json["differs"].push_back({{"what", difference.what},
                               {"before", text_or_null(difference.before)},
                               {"after", text_or_null(difference.after)}});
  }
  json["notes"] = Json::array();
  for (const std::string& note : comparison.notes) json["notes"].push_back(text(note));
  json["iteration"] = iteration_json(comparison);
  json["phases"] = phases_json(comparison);
  json["lines"] = lines_json(comparison);
  json["unattributed_ms"] = ms(comparison.unattributed);
  json["modules"] = modules_json(comparison);
  json["memory"] = memory_json(comparison);
  return json;
}

std::string render_comparison_json(const Comparison& comparison) {
  return comparison_json(comparison).dump(2) + "\n";
}

}  // namespace sightline::profile
