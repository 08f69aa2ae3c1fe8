#include "core/measure/status/status_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/safe_text.h"
#include "core/measure/status/comparison.h"
#include "core/measure/status/frame.h"
#include "core/measure/status/unit.h"

namespace sightline::measure {
namespace {

constexpr const char* kTableTitle = "Sightline Model Profiler";
constexpr const char* kNotComputed = "<NotComputed>";

std::string label_text(const MetricRow& row, const std::string& unit) {
  return unit.empty() ? row.label : fmt::format("{} ({})", row.label, unit);
}

std::string value_text(const Reading& reading) {
  if (reading.number) return fmt::format("{:.4f}", reading.number->shown);
  return reading.text.empty() ? kNotComputed : reading.text;
}

std::string value_with_unit(const Reading& reading) {
  if (!reading.number || reading.unit.empty()) return value_text(reading);
  return value_text(reading) + " " + reading.unit;
}

Reading reading_in(Reading reading, const std::string& unit, double factor) {
  if (reading.number) reading.number->shown *= factor;
  reading.unit = unit;
  return reading;
}

const Reading* reading_of(const ModelStatus& model, const std::string& key) {
  const auto found = std::find_if(model.rows.begin(), model.rows.end(),
                                  [&](const MetricRow& row) { return row.key == key; });
  return found == model.rows.end() ? nullptr : &found->reading;
}

void add_compared_row(Frame& frame, const MetricRow& row, const Reading& other) {
  const std::string enhancement = comparison_text(compare(row.comparative, row.reading, other));
  const auto to_other = conversion(row.reading.unit, other.unit);
  if (!to_other && row.reading.number && other.number) {
    frame.add_row({row.label, enhancement, value_with_unit(row.reading), value_with_unit(other)});
    return;
  }
  // A factor above one: the other's unit is the smaller, and has more digits to show.
  const bool in_other = to_other && *to_other > 1 && other.number;
  const double factor = to_other.value_or(1);
  const Reading first = in_other ? reading_in(row.reading, other.unit, factor) : row.reading;
  const Reading second = in_other ? other : reading_in(other, row.reading.unit, 1 / factor);
  frame.add_row({label_text(row, first.unit), enhancement, value_text(first), value_text(second)});
}

std::string notes_text(const ModelStatus& model, const Frame& frame) {
  std::string text = "Note:\n";
  for (const MetricRow& row : model.rows) {
    text += fmt::format("* {}: {}\n", printable(row.label), printable(row.description));
  }
  return text + frame.full_rule();
}

}  // namespace

std::string one_model_table(const ModelStatus& model, Notes notes) {
  Frame frame(kTableTitle, {40, 20});
  frame.add_row({fmt::format("Param Name ({})", model.name), "Value"});
  frame.add_row({"Backend: " + model.backend, ""});
  frame.add_rule();
  for (const MetricRow& row : model.rows) {
    frame.add_row({label_text(row, row.reading.unit), value_text(row.reading)});
  }
  return frame.render() + (notes == Notes::None ? "" : notes_text(model, frame));
}

std::string two_model_table(const ModelStatus& first, const ModelStatus& second, Notes notes) {
  Frame frame(kTableTitle, {40, 25, 25, 25});
  frame.add_row({"Param Name", "Enhancement", fmt::format("Value ({})", first.name),
                 fmt::format("Value ({})", second.name)});
  frame.add_row({"", "", "Backend: " + first.backend, "Backend: " + second.backend});
  frame.add_rule();
  for (const MetricRow& row : first.rows) {
    const Reading* other = reading_of(second, row.key);
    add_compared_row(frame, row, other != nullptr ? *other : Reading{row.reading.unit, {}, ""});
  }
  return frame.render() + (notes == Notes::None ? "" : notes_text(first, frame));
}

}  // namespace sightline::measure
