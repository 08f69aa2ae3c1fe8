#include "core/measure/compare/measurement_comparison.h"

#include <algorithm>
#include <cmath>

#include "core/measure/compare/layer_matching.h"
#include "core/measure/compare/machine_suspicion.h"
#include "core/measure/compare/measurement_figures.h"

namespace sightline::measure {
namespace {

using profile::Change;
using profile::Figure;
using profile::Verdict;

constexpr double kFloorOfModel = 0.001;

bool is_best(const std::vector<Figure>& figures, std::size_t candidate) {
  for (std::size_t other = 0; other < figures.size(); ++other) {
    if (other == candidate) continue;
    const Change change = profile::compare_figures(figures[other], figures[candidate]);
    if (!change.known() || change.verdict != Verdict::Better) return false;
  }
  return true;
}

ComparedFigure compared(std::vector<Figure> figures, double floor) {
  ComparedFigure row{figures.front().metric, std::move(figures), {}, std::nullopt};
  for (const Figure& figure : row.figures) {
    Change& change =
        row.changes.emplace_back(profile::compare_figures(row.figures.front(), figure));
    if (change.known() && std::abs(change.difference()) <= floor) change.verdict = Verdict::Same;
  }
  for (std::size_t at = 0; at < row.figures.size(); ++at) {
    if (is_best(row.figures, at)) row.best = at;
  }
  return row;
}

// One metric of all measurements.
std::vector<Figure> row_of(const std::vector<std::vector<Figure>>& columns, std::size_t metric) {
  std::vector<Figure> row;
  row.reserve(columns.size());
  for (const std::vector<Figure>& column : columns) row.push_back(column[metric]);
  return row;
}

std::vector<ComparedFigure> compare_whole(const std::vector<const model::Run*>& runs) {
  std::vector<std::vector<Figure>> columns;
  columns.reserve(runs.size());
  for (const model::Run* run : runs) columns.push_back(figures_of_measurement(*run->measurement));
  std::vector<ComparedFigure> rows;
  rows.reserve(columns.front().size());
  for (std::size_t metric = 0; metric < columns.front().size(); ++metric) {
    rows.push_back(compared(row_of(columns, metric), 0.0));
  }
  return rows;
}

// What a run does not have is a figure without a value.
void compare_layer(ComparedLayer& row, double time_floor) {
  const std::vector<Figure> like = figures_of_layer(row.any());
  std::vector<std::vector<Figure>> columns;
  for (const model::MeasuredLayer* layer : row.layers) {
    if (layer != nullptr) {
      columns.push_back(figures_of_layer(*layer));
      continue;
    }
    auto& none = columns.emplace_back();
    for (const Figure& figure : like) none.push_back({figure.metric});
  }
  for (std::size_t metric = 0; metric < like.size(); ++metric) {
    const bool time = like[metric].metric.unit == profile::Unit::Milliseconds;
    row.figures.push_back(compared(row_of(columns, metric), time ? time_floor : 0.0));
  }
}

std::vector<profile::Difference> differences_of(const std::vector<const model::Run*>& runs) {
  std::vector<profile::Difference> found;
  const model::Run& first = *runs.front();
  for (std::size_t at = 1; at < runs.size(); ++at) {
    const auto add = [&](const std::string& what, const std::string& a, const std::string& b) {
      if (a != b) found.push_back({runs.size() > 2 ? what + " of " + letter_of(at) : what, a, b});
    };
    const model::Measurement& a = *first.measurement;
    const model::Measurement& b = *runs[at]->measurement;
    add("inputs", a.inputs, b.inputs);
    add("mode", a.training_mode ? "training" : "evaluation",
        b.training_mode ? "training" : "evaluation");
    for (const auto& one : profile::differing_conditions(first.info, runs[at]->info)) {
      add(one.what, one.before, one.after);
    }
  }
  return found;
}

}  // namespace

bool ComparedFigure::changed() const {
  return std::any_of(changes.begin(), changes.end(),
                     [](const Change& change) { return change.verdict != Verdict::Same; });
}

const model::MeasuredLayer& ComparedLayer::any() const {
  return **std::find_if(layers.begin(), layers.end(),
                        [](const model::MeasuredLayer* layer) { return layer != nullptr; });
}

bool ComparedLayer::everywhere() const {
  return std::find(layers.begin(), layers.end(), nullptr) == layers.end();
}

bool ComparedLayer::changed() const {
  return !everywhere() ||
         std::any_of(figures.begin(), figures.end(),
                     [](const ComparedFigure& figure) { return figure.changed(); });
}

std::string letter_of(std::size_t at) {
  constexpr std::size_t kLetters = 26;
  if (at < kLetters) return std::string(1, static_cast<char>('A' + at));
  return "no. " + std::to_string(at + 1);
}

MeasurementComparison compare_measurements(std::vector<const model::Run*> runs) {
  MeasurementComparison comparison;
  comparison.runs = std::move(runs);
  comparison.differs = differences_of(comparison.runs);
  comparison.figures = compare_whole(comparison.runs);
  comparison.layers = match_layers(comparison.runs);
  const std::vector<Figure> first = figures_of_measurement(*comparison.runs.front()->measurement);
  const Figure* time = profile::figure_named(first, "execution_time");
  const double floor = kFloorOfModel * time->value.value_or(0.0);
  for (ComparedLayer& layer : comparison.layers) compare_layer(layer, floor);
  for (std::size_t at = 1; at < comparison.runs.size(); ++at) {
    if (!changed_throughout(comparison, at)) continue;
    comparison.notes.push_back(
        "Nearly all layers of " + letter_of(at) +
        " differ from those of A by the same factor, as " +
        "they do when the machine was busier, or slower, for one of the two. Measure both again, " +
        "in turn, before you believe it.");
  }
  return comparison;
}

}  // namespace sightline::measure
