// The end of the text report: other threads, what was lost or does not hold, what to do next.
#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/shell_word.h"
#include "core/profile/report/units.h"
#include "core/record/step_log.h"

namespace sightline::profile {
namespace {

std::string drops_in_words(const Breakdown& breakdown) {
  std::string list;
  for (const auto& [what, count] : breakdown.drops) {
    if (count == 0) continue;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ",
                        format_count(static_cast<double>(count)), printable(what));
  }
  return "Not kept, to stay within the budgets: " + list + ". Times and bytes still add up.";
}

std::string descent_in_words(const Descent& descent) {
  return fmt::format(
      "{} holds {} of the step, so the library lines beneath it are listed too, and it keeps only "
      "what none of them claims.",
      place_of(descent.before), format_percent(descent.percent));
}

// Blocks that such a step makes are known only if they outlive it in a known place.
bool peaked_unobserved(const model::Memory& memory) {
  return memory.known && record::StepLog::role_of(memory.peak_step) == model::StepRole::Unobserved;
}

std::string unobserved_peak_in_words(std::uint64_t step) {
  return fmt::format(
      "The peak is in step {}, one of those that run with the observers off: what it made itself "
      "has no line, and is \"other\" unless it is a gradient or the optimizer's.",
      step);
}

constexpr const char kWholeRecordingInWords[] =
    "Nothing marked a step: no optimizer's step was seen, so the whole recording is given as one "
    "step. Call sightline.step() at the end of each iteration to see what one takes.";

}  // namespace

std::vector<std::string> notes_on(const Breakdown& breakdown) {
  std::vector<std::string> notes;
  if (breakdown.whole_recording) notes.emplace_back(kWholeRecordingInWords);
  if (breakdown.descent) notes.push_back(descent_in_words(*breakdown.descent));
  const model::Memory& memory = breakdown.memory.totals;
  if (peaked_unobserved(memory)) notes.push_back(unobserved_peak_in_words(memory.peak_step));
  if (breakdown.dropped > 0) notes.push_back(drops_in_words(breakdown));
  notes.insert(notes.end(), breakdown.problems.begin(), breakdown.problems.end());
  return notes;
}

std::string render_threads(const Page& page) {
  if (page.breakdown.threads.empty()) return "";
  Table table({{"thread", Align::Left}, {"busy"}, {"calls"}});
  for (const ThreadRow& row : page.breakdown.threads) {
    table.add({{printable(row.name), Style::Strong},
               {format_time(static_cast<double>(row.busy_ns))},
               {format_count(static_cast<double>(row.calls))}});
  }
  return page.heading("Other threads", "over the whole run; in no step") +
         table.render(page.options.width, page.paint);
}

std::string render_notes(const Page& page) {
  std::string text;
  for (const std::string& note : notes_on(page.breakdown)) {
    const char* mark = "!";
    for (const std::string& part : wrapped(printable(note), page.options.width - kNoteIndent)) {
      text += "  " + page.paint(Style::Warm, mark) + " " + part + "\n";
      mark = " ";
    }
  }
  return text.empty() ? "" : page.heading("Notes") + text;
}

std::string render_next(const Page& page) {
  const std::string command = "sightline report " + shell_word(page.options.run_path);
  const char* other = page.options.by == GroupBy::Module ? "--by line" : "--by module";
  return "\n" + page.paint(Style::Faint, "Next: ") + command + " " + other + "\n" +
         page.paint(Style::Faint, "      or --by operator, --sort peak, --top 0, --json") + "\n";
}

}  // namespace sightline::profile
