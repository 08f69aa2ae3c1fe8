#include "core/supervise/supervision.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core/export/training_tables.h"
#include "core/profile/recording.h"
#include "core/store/training_reader.h"
#include "core/supervise/rules/rule_names.h"
#include "python/bindings/core.h"
#include "python/bindings/errors.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using supervise::Supervision;
using supervise::Verdict;

void publish_value(Supervision& supervision, const std::string& topic, const std::string& statistic,
                   const std::string& module, const std::string& tensor, std::uint64_t step,
                   std::uint64_t epoch, double value, std::uint64_t order,
                   const std::string& operator_name, const std::string& file, std::uint32_t line) {
  supervision.add({module, tensor, topic, statistic}, {order, operator_name, file, line}, step,
                  epoch, value);
}

void publish_histogram(Supervision& supervision, const std::string& topic,
                       const std::string& module, const std::string& tensor, std::uint64_t step,
                       std::vector<double> edges, std::vector<std::uint64_t> counts) {
  if (edges.size() != (counts.empty() ? 0 : counts.size() + 1)) {
    throw nb::value_error("a histogram has one edge more than counts");
  }
  supervision.add_histogram({module, tensor, topic, "histogram"}, {},
                            {model::kNone, step, std::move(edges), std::move(counts)});
}

nb::dict evidence_of(const Verdict& verdict) {
  nb::dict evidence;
  for (const auto& [name, value] : verdict.evidence) evidence[name.c_str()] = value;
  return evidence;
}

std::vector<std::string> rule_names() {
  return {supervise::kRuleNames.begin(), supervise::kRuleNames.end()};
}

// By name, the rows as JSON. Nothing of a run without a training.
std::map<std::string, std::string> training_tables(const std::string& path) {
  std::map<std::string, std::string> texts;
  const nb::gil_scoped_release release;
  const Result<std::vector<exports::Table>> tables = [&]() -> Result<std::vector<exports::Table>> {
    const auto training = store::TrainingReader::open(path);
    if (!training) return training.error();
    const auto series = training->series();
    if (!series) return series.error();
    if (series->empty()) return std::vector<exports::Table>{};
    return exports::training_tables(training.value());
  }();
  if (!tables) {
    const nb::gil_scoped_acquire acquire;
    raise(tables.error());
  }
  for (const exports::Table& table : tables.value()) texts[table.name] = table.rows.dump();
  return texts;
}

supervise::Thresholds thresholds_of(const std::map<std::string, double>& values) {
  supervise::Thresholds thresholds;
  for (const auto& [name, value] : values) {
    const Result<void> set = supervise::set_threshold(thresholds, name, value);
    if (!set) raise(set.error());
  }
  return thresholds;
}

void bind_verdict(nb::module_& module) {
  nb::class_<Verdict>(module, "Verdict")
      .def_ro("rule", &Verdict::rule)
      .def_prop_ro("severity",
                   [](const Verdict& verdict) { return std::string(name_of(verdict.severity)); })
      .def_ro("step", &Verdict::step)
      .def_ro("module", &Verdict::module)
      .def_ro("tensor", &Verdict::tensor)
      .def_ro("topic", &Verdict::topic)
      .def_prop_ro("operator", [](const Verdict& verdict) { return verdict.origin.operator_name; })
      .def_prop_ro("file", [](const Verdict& verdict) { return verdict.origin.file; })
      .def_prop_ro("line", [](const Verdict& verdict) { return verdict.origin.line; })
      .def_prop_ro("evidence", &evidence_of)
      .def_ro("cause", &Verdict::cause)
      .def_ro("advice", &Verdict::advice);
}

}  // namespace

void bind_supervision(nb::module_& module) {
  bind_verdict(module);
  nb::class_<Supervision>(module, "Supervision")
      .def(
          "__init__",
          [](Supervision* made, const profile::Recording* recording,
             const std::map<std::string, double>& thresholds) {
            const supervise::Thresholds set = thresholds_of(thresholds);
            new (made) Supervision(recording == nullptr ? nullptr : recording->training(), set);
          },
          nb::arg("recording").none() = nb::none(), nb::kw_only(),
          nb::arg("thresholds") = std::map<std::string, double>())
      .def("publish_value", &publish_value, nb::arg("topic"), nb::arg("statistic"),
           nb::arg("module"), nb::arg("tensor"), nb::arg("step"), nb::arg("epoch"),
           nb::arg("value"), nb::kw_only(), nb::arg("order") = 0, nb::arg("operator") = "",
           nb::arg("file") = "", nb::arg("line") = 0)
      .def("publish_histogram", &publish_histogram, nb::arg("topic"), nb::arg("module"),
           nb::arg("tensor"), nb::arg("step"), nb::arg("edges"), nb::arg("counts"))
      .def("end_step", &Supervision::end_step, nb::arg("step"))
      .def("end", &Supervision::end);
  module.def("rule_names", &rule_names);
  module.def("training_tables", &training_tables, nb::arg("path"));
}

}  // namespace sightline::python
