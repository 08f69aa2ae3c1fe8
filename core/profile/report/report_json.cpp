#include "core/profile/report/report_json.h"

#include <optional>
#include <string_view>
#include <utility>

#include "core/profile/report/json_values.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/throughput_json.h"

namespace sightline::profile {
namespace {

using Json = nlohmann::ordered_json;
using model::Category;

Json optional_ms(const std::optional<double>& ns) { return ns ? Json(*ns / 1e6) : Json(); }

// Divides sums over the counted steps; null if there are none.
class PerStep {
 public:
  explicit PerStep(std::uint64_t steps) : steps_(steps) {}

  Json ms(std::uint64_t ns) const {
    if (steps_ == 0) return {};
    return static_cast<double>(ns) / (static_cast<double>(steps_) * 1e6);
  }

  Json count(std::uint64_t sum) const {
    if (steps_ == 0) return {};
    if (sum % steps_ == 0) return sum / steps_;
    return static_cast<double>(sum) / static_cast<double>(steps_);
  }

 private:
  std::uint64_t steps_;
};

Json iteration_json(const Breakdown& breakdown, const PerStep& per_step) {
  Json samples_per_second;
  if (breakdown.batch_size > 0 && breakdown.wall_ns > 0 && breakdown.counted_steps > 0) {
    samples_per_second = static_cast<double>(breakdown.batch_size) *
                         static_cast<double>(breakdown.counted_steps) * 1e9 /
                         static_cast<double>(breakdown.wall_ns);
  }
  return {{"wall_ms", per_step.ms(breakdown.wall_ns)},
          {"median_ms", optional_ms(breakdown.iteration.median_ns)},
          {"p95_ms", optional_ms(breakdown.iteration.p95_ns)},
          {"batch_size", number_or_null(breakdown.batch_size)},
          {"samples_per_second", samples_per_second},
          {"steps", breakdown.counted_steps},
          {"seen_steps", breakdown.steps}};
}

Json phases_json(const Breakdown& breakdown, const PerStep& per_step) {
  Json phases = Json::object();
  for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
    const std::string name(model::name_of(static_cast<model::Phase>(phase)));
    phases[name + "_ms"] = per_step.ms(breakdown.phase_ns[phase]);
  }
  return phases;
}

void add_times(Json& row, const KindTimes& times, const PerStep& per_step) {
  row["forward_ms"] = per_step.ms(times.forward());
  row["backward_ms"] = per_step.ms(times.backward());
  row["python_ms"] = per_step.ms(times.python());
  row["optimizer_ms"] = per_step.ms(times.optimizer());
  row["data_ms"] = per_step.ms(times.data());
}

Json source_json(const LineRow& line) { return line.source ? text(*line.source) : Json(); }

Json place_json(const LineRow& line) {
  return {{"file", text(line.file)}, {"line", line.line}, {"source", source_json(line)}};
}

Json line_json(const LineRow& line, const PerStep& per_step) {
  Json row = {{"file", text(line.file)},
              {"line", line.line},
              {"function", text(line.function)},
              {"source", source_json(line)},
              {"calls", per_step.count(line.calls)},
              {"module_calls", per_step.count(line.module_calls)}};
  add_times(row, line.self, per_step);
  row["self_ms"] = per_step.ms(line.self_ns());
  row["total_ms"] = per_step.ms(line.total_ns);
  row["self_ns"] = line.self_ns();
  row["total_ns"] = line.total_ns;
  row["allocated_bytes"] = per_step.count(line.allocated_bytes);
  row["peak_bytes"] = line.peak_bytes;
  row["library"] = line.role == model::FileRole::Library;
  return row;
}

Json module_json(const ModuleRow& module, const PerStep& per_step) {
  Json row = {{"path", text(module.path)},
              {"type", text(module.type)},
              {"calls", per_step.count(module.calls)}};
  add_times(row, module.times, per_step);
  row["self_ms"] = per_step.ms(module.self.sum());
  row["total_ms"] = per_step.ms(module.times.sum());
  row["parameter_bytes"] = module.parameter_bytes;
  row["activation_bytes"] = module.activation_bytes;
  return row;
}

Json operator_json(const OperatorRow& op, const PerStep& per_step) {
  Json row = {{"name", text(op.name)},
              {"calls", per_step.count(op.calls)},
              {"python_calls", per_step.count(op.python_calls)}};
  add_times(row, op.times, per_step);
  row["self_ms"] = per_step.ms(op.times.sum());
  return row;
}

Json memory_json(const MemoryTable& memory, const model::DeviceMemory& device) {
  const bool known = memory.totals.known;
  const auto bytes = [known](std::uint64_t value) { return known ? Json(value) : Json(); };
  const auto category = [&](Category which) { return bytes(memory.of(which)); };
  return {{"peak_bytes", bytes(memory.totals.peak_bytes)},
          {"boundary_peak_bytes", bytes(memory.totals.boundary_peak_bytes)},
          {"process_peak_bytes", number_or_null(memory.totals.process_peak_bytes)},
          {"capacity_bytes", number_or_null(memory.totals.capacity_bytes)},
          {"device_peak_bytes", number_or_null(device.peak_bytes)},
          {"device_capacity_bytes", number_or_null(device.capacity_bytes)},
          {"peak_step", bytes(memory.totals.peak_step)},
          {"at_peak",
           {{"parameters", category(Category::Parameter)},
            {"gradients", category(Category::Gradient)},
            {"optimizer", category(Category::Optimizer)},
            {"activations", category(Category::Activation)},
            {"inputs", category(Category::Input)},
            {"temporaries", category(Category::Temporary)},
            {"other", bytes(memory.of(Category::Other) + memory.of(Category::Buffer))}}},
          {"buffers_bytes", category(Category::Buffer)},  // the part of "other" that is buffers
          {"unattributed_bytes", bytes(memory.unattributed_bytes)}};
}

template <typename Rows, typename Make>
Json array_of(const Rows& rows, Make make) {
  Json array = Json::array();
  for (const auto& row : rows) array.push_back(make(row));
  return array;
}

Json descent_json(const std::optional<Descent>& descent, const PerStep& per_step) {
  if (!descent) return {};
  Json json = line_json(descent->before, per_step);
  json["percent"] = descent->percent;
  return json;
}

Json finding_json(const Finding& finding) {
  Json evidence = Json::object();
  for (const auto& [name, value] : finding.evidence) evidence[name] = value;
  return {{"rule", finding.rule},
          {"severity", name_of(finding.severity)},
          {"title", text(finding.title)},
          {"file", text_or_null(finding.file)},
          {"line", number_or_null(finding.line)},
          {"evidence", evidence},
          {"advice", text(finding.advice)}};
}

Json overhead_json(const Breakdown& breakdown) {
  Json drops = Json::object();
  for (const auto& [what, count] : breakdown.drops) drops[valid_utf8(what)] = count;
  const std::optional<double>& percent = breakdown.iteration.overhead_percent;
  return {{"step_percent", percent ? Json(*percent) : Json()},
          {"pairs", breakdown.iteration.overhead_pairs},
          {"settled", breakdown.iteration.is_overhead_settled()},
          {"dropped", breakdown.dropped},
          {"drops", drops}};
}

// With the lines and modules of the report.
Json report_around(const Breakdown& breakdown, Json lines, Json modules) {
  const PerStep per_step(breakdown.counted_steps);
  Json report = Json::object();
  report["format"] = kReportFormat;
  report["run"] = run_json(breakdown.info);
  report["iteration"] = iteration_json(breakdown, per_step);
  report["phases"] = phases_json(breakdown, per_step);
  report["other_parts"] = {{"copy_ms", per_step.ms(breakdown.copy_ns)},
                           {"python_ms", per_step.ms(breakdown.python_ns)}};
  // Evaluation is counted from the first step to the last, those that do not count included.
  report["evaluation_ms"] = PerStep{breakdown.steps}.ms(breakdown.evaluation_ns);
  report["lines"] = std::move(lines);
  report["unattributed_ms"] = per_step.ms(breakdown.unattributed.sum());
  report["descended"] = descent_json(breakdown.descent, per_step);
  report["modules"] = std::move(modules);
  report["operators"] = array_of(
      breakdown.operators, [&](const OperatorRow& row) { return operator_json(row, per_step); });
  report["threads"] = array_of(breakdown.threads, [](const ThreadRow& row) -> Json {
    return {{"name", text(row.name)},
            {"busy_ms", static_cast<double>(row.busy_ns) / 1e6},
            {"calls", row.calls}};
  });
  report["ranges"] = array_of(breakdown.ranges, [&](const model::NamedRange& row) -> Json {
    return {{"name", text(row.name)},
            {"calls", per_step.count(row.calls)},
            {"total_ms", per_step.ms(row.total_ns)}};
  });
  report["memory"] = memory_json(breakdown.memory, breakdown.info.device_memory);
  report.update(batch_part_of_report(breakdown));
  report["verdicts"] = Json::array();
  report["overhead"] = overhead_json(breakdown);
  report["sums"] = {{"steps", breakdown.counted_steps},
                    {"wall_ns", breakdown.wall_ns},
                    {"cost_ns", breakdown.cost_ns},
                    {"unattributed_ns", breakdown.unattributed.sum()}};
  report["problems"] =
      array_of(breakdown.problems, [](const std::string& problem) { return text(problem); });
  return report;
}

}  // namespace

Json report_json(const Breakdown& breakdown) {
  const PerStep per_step(breakdown.counted_steps);
  return report_around(
      breakdown,
      array_of(breakdown.lines, [&](const LineRow& row) { return line_json(row, per_step); }),
      array_of(breakdown.modules,
               [&](const ModuleRow& row) { return module_json(row, per_step); }));
}

Json report_beside_tree(const Breakdown& breakdown) {
  return report_around(breakdown, array_of(breakdown.lines, place_json), Json::array());
}

Json batch_part_of_report(const Breakdown& breakdown) {
  return {{"throughput", throughput_json(breakdown.throughput, breakdown.batch_size)},
          {"findings", array_of(breakdown.findings, finding_json)}};
}

std::string render_json(const Breakdown& breakdown) {
  return report_json(breakdown).dump(2) + "\n";
}

}  // namespace sightline::profile
