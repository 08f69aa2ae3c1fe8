#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/measure/compare/comparison_reports.h"
#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::measure {
namespace {

using profile::Align;
using profile::Cell;
using profile::Change;
using profile::format_value;
using profile::Style;
using profile::Verdict;

Style style_of_verdict(Verdict verdict) {
  if (verdict == Verdict::Better) return Style::Better;
  return verdict == Verdict::Worse ? Style::Worse : Style::Faint;
}

Cell no_cell() { return {profile::kNothing, Style::Faint}; }

Cell value_cell_of(const profile::Figure& figure) {
  if (!figure.value) return no_cell();
  return {format_value(*figure.value, figure.metric.unit)};
}

// A change that is too small for its percentage to show is given in full.
Cell change_cell(const Change& change, profile::Unit unit) {
  if (!change.known() || change.difference() == 0.0) return no_cell();
  const Style style = style_of_verdict(change.verdict);
  const std::optional<double> percent = change.percent();
  if (!percent || std::abs(*percent) < 0.05) {
    return {profile::format_difference(change.difference(), unit), style};
  }
  return {(*percent < 0.0 ? "-" : "+") + profile::format_percent(std::abs(*percent)), style};
}

class ComparedTable {
 public:
  ComparedTable(const MeasurementComparison& comparison, const char* first)
      : count_(comparison.runs.size()), table_(columns(first, comparison.runs.size())) {}

  void add(const std::string& name, const ComparedFigure& row) {
    std::vector<Cell> cells = {{name, Style::Strong}, value_cell_of(row.figures.front())};
    for (std::size_t at = 1; at < count_; ++at) {
      cells.push_back(value_cell_of(row.figures[at]));
      cells.push_back(change_cell(row.changes[at], row.metric.unit));
    }
    if (count_ == 2) {
      const Change& change = row.changes[1];
      cells.push_back({change.known() ? std::string(name_of(change.verdict)) : "not known",
                       style_of_verdict(change.verdict)});
      cells.push_back(change.known() && change.noise > 0.0
                          ? Cell{"±" + format_value(change.noise, row.metric.unit), Style::Faint}
                          : no_cell());
    } else {
      cells.push_back(row.best ? Cell{letter_of(*row.best), Style::Better} : no_cell());
    }
    table_.add(std::move(cells));
  }

  profile::Table& table() { return table_; }

 private:
  static std::vector<profile::Column> columns(const char* first, std::size_t count) {
    std::vector<profile::Column> made = {{first, Align::Path}, {"A"}};
    for (std::size_t at = 1; at < count; ++at) {
      made.push_back({letter_of(at)});
      made.push_back({"change"});
    }
    if (count == 2) {
      made.push_back({"verdict"});
      made.push_back({"noise"});
    } else {
      made.push_back({"best"});
    }
    return made;
  }

  std::size_t count_;
  profile::Table table_;
};

std::string render_files(const profile::TextPage& page, const MeasurementComparison& comparison,
                         const std::vector<std::string>& paths) {
  std::string text;
  for (std::size_t at = 0; at < comparison.runs.size(); ++at) {
    const model::Measurement& one = *comparison.runs[at]->measurement;
    const std::string facts = fmt::format("{} · {} · {}", paths[at], one.model, one.inputs);
    text += "  " + page.paint(Style::Strong, letter_of(at)) + "  " +
            profile::cut_right(profile::printable(facts), page.options.width - 5) + "\n";
  }
  for (const profile::Difference& one : comparison.differs) {
    const auto shown = [](const std::string& value) {
      return value.empty() ? std::string("not known") : profile::printable(value);
    };
    text += "  " + page.paint(Style::Warm, "not the same " + profile::printable(one.what)) + ": " +
            shown(one.before) + " -> " + shown(one.after) + "\n";
  }
  for (const std::string& note : comparison.notes) {
    for (const std::string& line : profile::wrapped(note, page.options.width - 2)) {
      text += "  " + page.paint(Style::Warm, line) + "\n";
    }
  }
  return text;
}

std::string render_metrics(const profile::TextPage& page, const MeasurementComparison& comparison) {
  ComparedTable table(comparison, "metric");
  for (const ComparedFigure& row : comparison.figures) {
    const bool known =
        std::any_of(row.figures.begin(), row.figures.end(),
                    [](const profile::Figure& one) { return one.value.value_or(0.0) != 0.0; });
    if (known) table.add(std::string(row.metric.name), row);
  }
  return page.heading("The whole model", "changes are from A; noise is two standard errors") +
         table.table().render(page.options.width, page.paint);
}

const ComparedFigure& leading_figure(const ComparedLayer& row, std::string_view metric) {
  return *std::find_if(row.figures.begin(), row.figures.end(),
                       [&](const ComparedFigure& figure) { return figure.metric.name == metric; });
}

double size_of_change(const ComparedFigure& row) {
  double size = 0.0;
  for (const Change& change : row.changes) size = std::max(size, std::abs(change.difference()));
  return size;
}

// The values in all measurements, one after the other.
template <typename Value>
std::string in_a_row(const ComparedLayer& row, Value value) {
  std::string text;
  for (std::size_t at = 0; at < row.layers.size(); ++at) {
    text += (at == 0 ? "" : " -> ") + (row.layers[at] == nullptr ? profile::kNothing : value(at));
  }
  return text;
}

// What else changed about a layer, in a line of its own.
std::string other_changes(const ComparedLayer& row, const ComparedFigure& leading) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : " · ") + what; };
  bool reshaped = false;
  for (std::size_t at = 0; at < row.layers.size(); ++at) {
    const model::MeasuredLayer* layer = row.layers[at];
    if (layer == nullptr) add("not in " + letter_of(at));
    reshaped = reshaped || (layer != nullptr && layer->outputs != row.any().outputs);
  }
  if (reshaped) {
    add("output " + in_a_row(row, [&](std::size_t at) { return row.layers[at]->outputs; }));
  }
  for (const ComparedFigure& figure : row.figures) {
    if (&figure == &leading || !figure.changed()) continue;
    add(std::string(figure.metric.name) + " " +
        in_a_row(row, [&](std::size_t at) { return value_cell_of(figure.figures[at]).text; }));
  }
  return text;
}

std::string render_layers(const profile::TextPage& page, const MeasurementComparison& comparison) {
  bool timed = true;
  for (const model::Run* run : comparison.runs)
    timed = timed && !run->measurement->times_ms.empty();
  const std::string_view metric = timed ? "execution_time" : "macs";
  std::vector<const ComparedLayer*> order;
  for (const ComparedLayer& row : comparison.layers) {
    if (row.changed() || page.options.top == 0) order.push_back(&row);
  }
  const std::string heading =
      page.heading("Layers that differ", timed ? "by time" : "by multiply-accumulates");
  if (order.empty()) return heading + "  none\n";
  std::stable_sort(order.begin(), order.end(), [&](const ComparedLayer* a, const ComparedLayer* b) {
    return size_of_change(leading_figure(*a, metric)) > size_of_change(leading_figure(*b, metric));
  });
  const std::size_t shown = page.rows_to_show(order.size());
  ComparedTable table(comparison, "layer");
  for (std::size_t at = 0; at < shown; ++at) {
    const ComparedLayer& row = *order[at];
    const std::string path = row.any().path.empty() ? "" : row.any().path + " ";
    const ComparedFigure& leading = leading_figure(row, metric);
    table.add(profile::printable(path + "(" + row.any().type + ")"), leading);
    const std::string note = other_changes(row, leading);
    if (!note.empty()) table.table().note({profile::printable(note), Style::Faint});
  }
  return heading + table.table().render(page.options.width, page.paint) +
         page.left_out(order.size(), shown, "layers");
}

}  // namespace

std::string render_compared_measurements(const MeasurementComparison& comparison,
                                         const std::vector<std::string>& paths,
                                         const profile::TextOptions& options) {
  const profile::TextPage page{options, profile::Paint(options.color)};
  return page.in_its_characters(render_files(page, comparison, paths) +
                                render_metrics(page, comparison) + render_layers(page, comparison));
}

}  // namespace sightline::measure
