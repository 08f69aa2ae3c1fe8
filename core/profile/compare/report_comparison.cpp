#include "core/profile/compare/report_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/shell_word.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kMemoryLines = 8;
constexpr double kWorthARow = 0.001;  // of the step; what was added or removed below it is dust

using Format = std::string (*)(double);

std::string format_whole_bytes(double bytes) { return format_bytes(bytes); }

Style style_of(Verdict verdict, double difference, bool more_is_better = false) {
  switch (verdict) {
    case Verdict::Same:
      return Style::Faint;
    case Verdict::Better:
      return Style::Better;
    case Verdict::Worse:
      return Style::Worse;
    case Verdict::Added:
    case Verdict::Removed:
      break;
  }
  if (difference == 0.0) return Style::Faint;
  return (difference > 0.0) != more_is_better ? Style::Worse : Style::Better;
}

std::string with_sign(double value, Format format) {
  const std::string size = format(std::abs(value));
  if (value == 0.0 || size == format(0.0)) return kNothing;
  return (value > 0.0 ? "+" : "-") + size;
}

Cell value_cell(const std::optional<double>& value, Format format) {
  if (!value) return {kNothing, Style::Faint};
  return *value == 0.0 ? Cell{kNothing, Style::Faint} : Cell{format(*value)};
}

std::vector<Column> columns(const char* first, Align align, bool with_noise) {
  std::vector<Column> columns = {{first, align}, {"A"},       {"B"},
                                 {"difference"}, {"verdict"}, {"change"}};
  if (with_noise) columns.push_back({"noise"});
  return columns;
}

void add_row(Table& table, const std::string& name, const Change& change, Format format,
             bool with_noise) {
  const double difference = change.difference();
  const bool judged = change.known() || change.verdict != Verdict::Same;
  const Style style = style_of(change.verdict, difference);
  std::vector<Cell> cells = {
      {name, Style::Strong}, value_cell(change.before, format), value_cell(change.after, format)};
  if (judged && change.measured()) {
    cells.push_back({with_sign(difference, format), style});
  } else {
    cells.push_back({kNothing, Style::Faint});
  }
  cells.push_back({judged ? std::string(name_of(change.verdict)) : "not known", style});
  cells.push_back(change.percent() ? Cell{with_sign(*change.percent(), format_percent), style}
                                   : Cell{kNothing, Style::Faint});
  if (with_noise) {
    cells.push_back(change.known() && change.noise > 0.0
                        ? Cell{"±" + format(change.noise), Style::Faint}
                        : Cell{kNothing, Style::Faint});
  }
  table.add(std::move(cells));
}

std::string name_of_run(const std::string& path) {
  return printable(path.substr(path.rfind('/') + 1));
}

std::string wrapped_lines(const Page& page, const std::string& text, const std::string& mark,
                          std::size_t indent) {
  std::string lines;
  std::string lead = mark;
  for (const std::string& line : wrapped(printable(text), page.options.width - indent)) {
    lines += lead + line + "\n";
    lead = std::string(indent, ' ');
  }
  return lines;
}

std::string render_runs(const Page& page, const Comparison& comparison,
                        const std::string& before_path) {
  std::string text;
  const auto add = [&](const char* letter, const std::string& path, const Breakdown& run) {
    std::string facts = name_of_run(path);
    if (run.counted_steps > 0 && !run.whole_recording) {
      facts += fmt::format(" · {} of {} steps count",
                           format_count(static_cast<double>(run.counted_steps)),
                           format_count(static_cast<double>(run.steps)));
    }
    if (!run.info.started.empty()) facts += " · " + printable(run.info.started);
    if (!run.info.finished) facts += " · not finished";
    text += "  " + page.paint(Style::Strong, letter) + "  " +
            cut_right(facts, page.options.width - kNoteIndent - 1) + "\n";
  };
  add("A", before_path, comparison.before);
  add("B", page.options.run_path, comparison.after);
  return text;
}

std::string render_differs(const Page& page, const Comparison& comparison) {
  if (comparison.differs.empty()) return "";
  Table table({{"", Align::Left}, {"A", Align::Left}, {"B", Align::Left}});
  for (const Difference& difference : comparison.differs) {
    const auto shown = [](const std::string& value) {
      return value.empty() ? std::string("not known") : cut_right(printable(value), 40);
    };
    table.add(
        {{difference.what, Style::Warm}, {shown(difference.before)}, {shown(difference.after)}});
  }
  return page.heading("Not the same", "and may explain what follows") +
         table.render(page.options.width, page.paint);
}

std::string render_comparison_notes(const Page& page, const Comparison& comparison) {
  std::string text;
  for (const std::string& note : comparison.notes) {
    text += wrapped_lines(page, note, "  " + page.paint(Style::Warm, "!") + " ", kNoteIndent);
  }
  return text.empty() ? "" : page.heading("Notes") + text;
}

std::string render_step(const Page& page, const Comparison& comparison) {
  if (!comparison.timed) return "";
  Table table(columns("", Align::Left, true));
  add_row(table, comparison.before.whole_recording ? "all" : "step, mean", comparison.step,
          format_time, true);
  if (!comparison.before.whole_recording) {
    if (comparison.median.known()) {
      add_row(table, "step, median", comparison.median, format_time, true);
    }
    if (comparison.p95.known()) add_row(table, "step, p95", comparison.p95, format_time, true);
    if (comparison.by_sample()) {
      add_row(table, "a sample", comparison.sample, format_time, true);
    }
    if (comparison.samples_per_second.known()) {
      add_row(table, "samples/s", comparison.samples_per_second, format_count, true);
    }
  }
  for (std::size_t index = 0; index < model::kPhases; ++index) {
    const std::string name(model::name_of(static_cast<model::Phase>(index)));
    const Change& phase = comparison.phases[index];
    if (phase.before.value_or(0.0) == 0.0 && phase.after.value_or(0.0) == 0.0) continue;
    add_row(table, "  " + name, phase, format_time, true);
  }
  return page.heading("A step and its phases", "noise is two standard errors") +
         table.render(page.options.width, page.paint);
}

bool worth_a_row(const Change& change, const Comparison& comparison) {
  return change.verdict != Verdict::Same &&
         std::abs(change.difference()) >= kWorthARow * comparison.step.before.value_or(0.0);
}

// What is not shown, and what it sums to.
std::string rest(const Page& page, std::size_t count, double sum_ns, const char* what) {
  if (count == 0) return "";
  return "  " +
         page.paint(
             Style::Faint,
             fmt::format(
                 "and {} more {}{}{}; --top 0 shows all", format_count(static_cast<double>(count)),
                 what, count == 1 ? "" : "s",
                 sum_ns == 0.0 ? std::string() : ", in all " + with_sign(sum_ns, format_time))) +
         "\n";
}

std::string render_line_changes(const Page& page, const Comparison& comparison) {
  if (!comparison.timed || comparison.lines.empty()) return "";
  const bool all = page.options.top == 0;
  Table table(columns("line", Align::Path, true));
  std::size_t shown = 0, left_out = 0;
  double left_out_ns = 0.0;
  for (const LineChange& line : comparison.lines) {
    if (!all && (shown == page.options.top || !worth_a_row(line.self, comparison))) {
      left_out_ns += line.self.difference();
      ++left_out;
      continue;
    }
    ++shown;
    add_row(table, place_of(line.row()), line.self, format_time, true);
    table.note({remark_on(line.row()), Style::Faint});
    if (line.rewritten()) {
      table.note({"was " + place_of(*line.before) + " │ " +
                      printable(line.before->source.value_or("(not kept)")),
                  Style::Faint});
    } else if (line.moved() && line.before->file != line.after->file) {
      table.note({"was " + place_of(*line.before), Style::Faint});
    }
  }
  std::string text = page.heading("Lines", "self time per step, by size of the difference");
  if (shown == 0) {
    return text + "  no line takes more or less time than chance explains" +
           page.paint(Style::Faint, "; --top 0 shows all\n");
  }
  text += table.render(page.options.width, page.paint);
  text += rest(page, left_out, left_out_ns, "line");
  if (comparison.unattributed.difference() != 0.0) {
    text += "  " + page.paint(Style::Faint, "in no line of the project: ") +
            with_sign(comparison.unattributed.difference(), format_time) + "\n";
  }
  return text;
}

std::string render_module_changes(const Page& page, const Comparison& comparison) {
  if (!comparison.timed) return "";
  const bool all = page.options.top == 0;
  Table table(columns("module", Align::Path, true));
  std::size_t shown = 0, left_out = 0;
  for (const ModuleChange& module : comparison.modules) {
    if (!all && (shown == page.options.top || !worth_a_row(module.total, comparison))) {
      ++left_out;
      continue;
    }
    ++shown;
    const std::string path = module.path.empty() ? "" : printable(module.path) + " ";
    add_row(table, path + "(" + printable(module.type) + ")", module.total, format_time, true);
  }
  if (shown == 0) return "";
  return page.heading("Modules", "per step, with their submodules") +
         table.render(page.options.width, page.paint) + rest(page, left_out, 0.0, "module");
}

void note_line_memory(Table& table, const Comparison& comparison) {
  std::vector<const LineChange*> order;
  for (const LineChange& line : comparison.lines) {
    if (line.peak_bytes.difference() != 0.0 && line.peak_bytes.verdict != Verdict::Same) {
      order.push_back(&line);
    }
  }
  std::stable_sort(order.begin(), order.end(), [](const LineChange* a, const LineChange* b) {
    return std::abs(a->peak_bytes.difference()) > std::abs(b->peak_bytes.difference());
  });
  order.resize(std::min(order.size(), kMemoryLines));
  for (const LineChange* line : order) {
    add_row(table, place_of(line->row()), line->peak_bytes, format_whole_bytes, false);
  }
}

std::string render_memory_changes(const Page& page, const Comparison& comparison) {
  if (!comparison.peak_bytes.measured() && !comparison.process_peak_bytes.measured()) return "";
  Table table(columns("", Align::Left, false));
  const auto add = [&](const std::string& name, const Change& change) {
    if (change.before.value_or(0.0) == 0.0 && change.after.value_or(0.0) == 0.0) return;
    add_row(table, name, change, format_whole_bytes, false);
  };
  add("peak", comparison.peak_bytes);
  for (std::size_t index = 0; index < model::kCategories; ++index) {
    add("  " + std::string(model::name_of(static_cast<model::Category>(index))),
        comparison.at_peak[index]);
  }
  add("whole process", comparison.process_peak_bytes);
  std::string text = page.heading("Memory at the peak");
  text += table.render(page.options.width, page.paint);
  Table lines(columns("allocated by", Align::Path, false));
  note_line_memory(lines, comparison);
  if (!lines.empty()) text += "\n" + lines.render(page.options.width, page.paint);
  return text;
}

std::string render_next(const Page& page, const std::string& before_path) {
  return "\n" + page.paint(Style::Faint, "Next: ") + "sightline compare " +
         shell_word(before_path) + " " + shell_word(page.options.run_path) + " --top 0\n" +
         page.paint(Style::Faint, "      or --json, or --fail-above 5 to check it in a script") +
         "\n";
}

}  // namespace

std::string render_comparison(const Comparison& comparison, const std::string& before_path,
                              const TextOptions& options) {
  const Page page{{options, Paint(options.color)}, comparison.after};
  const Verdict verdict =
      comparison.by_sample() ? comparison.sample.verdict : comparison.step.verdict;
  std::string text;
  for (const std::string& line : wrapped(comparison_in_words(comparison), options.width)) {
    text +=
        page.paint(verdict == Verdict::Same ? Style::Strong : style_of(verdict, 0.0), line) + "\n";
  }
  text += render_runs(page, comparison, before_path);
  text += render_differs(page, comparison) + render_comparison_notes(page, comparison);
  text += render_step(page, comparison) + render_line_changes(page, comparison);
  text += render_module_changes(page, comparison) + render_memory_changes(page, comparison);
  return page.in_its_characters(text + render_next(page, before_path));
}

}  // namespace sightline::profile
