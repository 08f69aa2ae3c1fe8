#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "core/base/safe_text.h"
#include "core/supervise/report/training_overview.h"

namespace sightline::supervise {
namespace {

constexpr std::array<std::string_view, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> kAsciiBars = {"_", ".", "-", "=", "+", "*", "%", "#"};
constexpr std::size_t kIndent = 4;

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string evidence_text(const model::Verdict& verdict) {
  std::string text;
  for (const auto& [name, value] : verdict.evidence) {
    text += (text.empty() ? "" : ", ") + name + " " + number_text(value);
  }
  return text;
}

std::string indented(const std::string& text, std::size_t width) {
  std::string block;
  for (const std::string& line : wrapped(printable(text), width - kIndent)) {
    block += std::string(kIndent, ' ') + line + "\n";
  }
  return block;
}

std::string curve_text(const Curve& curve, const OverviewText& options) {
  const std::string figures =
      padded("  " + curve.name, 15) +
      padded(number_text(curve.first) + " to " + number_text(curve.last), 24);
  return cut_right(figures + sparkline(curve.columns, options.ascii), options.width) + "\n";
}

std::string copies_text(const TrainingOverview& overview) {
  const auto kib = static_cast<double>(*overview.update_copy_bytes) / 1024;
  const std::string size =
      kib < 1024 ? number_text(kib) + " KiB" : number_text(kib / 1024) + " MiB";
  const std::string text = "  updates from copies of the weights, " + size;
  const std::uint64_t one_of = overview.update_sampled_one_of.value_or(1);
  return one_of > 1 ? text + ": a sample, one of " + std::to_string(one_of) + " elements" : text;
}

std::string verdict_text(const model::Verdict& verdict, const OverviewText& options) {
  const char* mark = verdict.severity == model::Severity::Warning ? "  ! " : "  - ";
  std::string text = cut_right(mark + verdict_line(verdict), options.width) + "\n";
  if (!options.advice) return text;
  if (!verdict.evidence.empty()) text += indented(evidence_text(verdict), options.width);
  return text + indented(verdict.cause, options.width) + indented(verdict.advice, options.width);
}

}  // namespace

std::string sparkline(const std::vector<store::SeriesColumn>& columns, bool ascii) {
  const auto& bars = ascii ? kAsciiBars : kBars;
  double lowest = HUGE_VAL;
  double highest = -HUGE_VAL;
  for (const store::SeriesColumn& column : columns) {
    if (!column.mean) continue;
    lowest = std::min(lowest, *column.mean);
    highest = std::max(highest, *column.mean);
  }
  std::string text;
  for (const store::SeriesColumn& column : columns) {
    if (!column.mean) {
      text += '!';
      continue;
    }
    // Halves, because the range of two large numbers may be more than a double holds.
    const double range = highest / 2 - lowest / 2;
    const double share = range > 0 ? (*column.mean / 2 - lowest / 2) / range : 0;
    text += bars[std::min<std::size_t>(static_cast<std::size_t>(share * 8), 7)];
  }
  return text;
}

std::string verdict_line(const model::Verdict& verdict) {
  std::string text = verdict.rule + " at step " + std::to_string(verdict.step) + ":";
  for (const std::string& name : {verdict.module, verdict.tensor}) {
    if (!name.empty()) text += " " + name;
  }
  if (!verdict.topic.empty()) text += " (" + verdict.topic + ")";
  if (!verdict.origin.operator_name.empty()) text += ", " + verdict.origin.operator_name;
  if (!verdict.origin.file.empty()) {
    text += ", " + verdict.origin.file + ":" + std::to_string(verdict.origin.line);
  }
  return printable(text);
}

std::string overview_text(const TrainingOverview& overview, const OverviewText& options) {
  std::string text = cut_right("  " + counted(overview.steps, "step") + ", epoch " +
                                   std::to_string(overview.epoch) + ", " +
                                   std::to_string(overview.series) + " series",
                               options.width) +
                     "\n";
  if (overview.looked_at && *overview.looked_at < overview.steps) {
    text += cut_right("  tensors looked at in " + std::to_string(*overview.looked_at) + " of " +
                          counted(overview.steps, "step") + ", to keep the time budget",
                      options.width) +
            "\n";
  }
  if (overview.update_copy_bytes) text += cut_right(copies_text(overview), options.width) + "\n";
  for (const Curve& curve : overview.curves) text += curve_text(curve, options);
  if (overview.verdicts.empty()) text += "  No rule has spoken.\n";
  const std::size_t shown = std::min(overview.verdicts.size(), options.most_verdicts);
  for (std::size_t i = 0; i < shown; ++i) text += verdict_text(overview.verdicts[i], options);
  if (shown < overview.verdicts.size()) {
    text += "    and " + std::to_string(overview.verdicts.size() - shown) + " more\n";
  }
  return options.ascii ? in_ascii(text) : text;
}

}  // namespace sightline::supervise
