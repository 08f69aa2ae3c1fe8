// The head of the text report: what was run, and its figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kLabelWidth = 10;

std::string figure(const Page& page, const char* label, const std::string& text) {
  return "  " + page.paint(Style::Faint, fmt::format("{:<{}}", label, kLabelWidth)) + "  " + text +
         "\n";
}

std::string step_figure(const Page& page) {
  const Breakdown& breakdown = page.breakdown;
  if (!page.timed()) {
    return breakdown.steps == 0
               ? "none seen, so nothing was timed; a step ends when an optimizer steps, or with "
                 "sightline.step()"
               : fmt::format("not timed: of the {} seen, none counts", breakdown.steps);
  }
  std::string text = page.paint(Style::Strong, page.time(breakdown.wall_ns));
  if (breakdown.whole_recording) return text + " for the whole recording; nothing marked a step";
  text += " on average";
  if (breakdown.iteration.median_ns && breakdown.iteration.p95_ns) {
    text += fmt::format(", median {}, p95 {}", format_time(*breakdown.iteration.median_ns),
                        format_time(*breakdown.iteration.p95_ns));
  }
  return text + fmt::format(" ({} of {} steps count)",
                            format_count(static_cast<double>(breakdown.counted_steps)),
                            format_count(static_cast<double>(breakdown.steps)));
}

std::string memory_figure(const Page& page) {
  const model::Memory& memory = page.breakdown.memory.totals;
  std::string text;
  if (memory.known) {
    text = page.paint(Style::Strong, format_bytes(memory.peak_bytes)) +
           fmt::format("{} at the peak (step {})", page.has_device() ? " on the host" : "",
                       memory.peak_step);
  }
  if (memory.process_peak_bytes > 0) {
    text += fmt::format("{}{} for the whole process", text.empty() ? "" : ", ",
                        format_bytes(memory.process_peak_bytes));
  }
  if (memory.capacity_bytes > 0 && !text.empty()) {
    text += fmt::format(" of {}", format_bytes(memory.capacity_bytes));
  }
  return text;
}

std::string device_figure(const Page& page) {
  const model::DeviceMemory& memory = page.breakdown.info.device_memory;
  if (memory.peak_bytes == 0) return "";
  std::string text = page.paint(Style::Strong, format_bytes(memory.peak_bytes)) + " at the peak";
  if (memory.capacity_bytes > 0) text += " of " + format_bytes(memory.capacity_bytes);
  return text + fmt::format(" on {}; not by line", printable(page.breakdown.info.device));
}

Style style_of(model::Phase phase) {
  static constexpr std::array<Style, model::kPhases> kStyles = {
      Style::Data, Style::Forward, Style::Backward, Style::Optimizer, Style::Other};
  return kStyles[static_cast<std::size_t>(phase)];
}

std::string overhead_figure(const Iteration& iteration) {
  if (!iteration.overhead_percent) return {};
  if (!iteration.is_overhead_settled()) {
    return fmt::format("not settled yet: {} of {} steps without the recorder were seen",
                       iteration.overhead_pairs, Iteration::kPairsToBelieve);
  }
  if (*iteration.overhead_percent <= 0) {
    return fmt::format("too little to be seen, going by {} steps without the recorder",
                       iteration.overhead_pairs);
  }
  return fmt::format("recording makes a step longer by {}, going by {} steps without it",
                     format_percent(*iteration.overhead_percent), iteration.overhead_pairs);
}

}  // namespace

std::string render_title(const Page& page) {
  const model::RunInfo& info = page.breakdown.info;
  const std::size_t slash = page.options.run_path.find_last_of('/');
  const std::string name = page.options.run_path.substr(slash == std::string::npos ? 0 : slash + 1);
  std::string title = page.paint(Style::Strong, cut_right(printable(name), page.options.width));
  title += '\n';
  if (!info.command.empty()) {
    title += cut_right(printable(info.command), page.options.width) + "\n";
  }
  std::vector<std::string> facts;
  const auto add = [&](const std::string& fact) {
    if (!fact.empty()) facts.push_back(printable(fact));
  };
  add(info.framework_version.empty() ? info.framework
                                     : info.framework + " " + info.framework_version);
  add(info.device);
  if (info.threads > 0) add(fmt::format("{} thread{}", info.threads, info.threads == 1 ? "" : "s"));
  if (!info.python.empty()) add("Python " + info.python);
  if (info.world_size > 1) add(fmt::format("rank {} of {}", info.rank, info.world_size));
  add(info.host);
  add(info.started);
  const std::string line =
      cut_right(fmt::format("{}", fmt::join(facts, " · ")), page.options.width);
  return line.empty() ? title : title + page.paint(Style::Faint, line) + "\n";
}

std::string render_figures(const Page& page) {
  const Breakdown& breakdown = page.breakdown;
  std::string text = figure(page, "step", step_figure(page));
  const bool paced = page.timed() && !breakdown.whole_recording;
  if (paced && breakdown.batch_size > 0 && breakdown.wall_ns > 0) {
    const double per_second =
        static_cast<double>(breakdown.batch_size) * 1e9 / page.per_step(breakdown.wall_ns);
    text += figure(page, "speed",
                   fmt::format("{} samples/s at a batch size of {}", format_count(per_second),
                               breakdown.batch_size));
  }
  const std::string memory = memory_figure(page);
  if (!memory.empty()) text += figure(page, "memory", memory);
  const std::string device = device_figure(page);
  if (!device.empty()) text += figure(page, "device", device);
  const std::string overhead = overhead_figure(breakdown.iteration);
  if (!overhead.empty()) text += figure(page, "overhead", overhead);
  return text;
}

std::string render_evaluation(const Page& page) {
  if (page.breakdown.evaluation_ns == 0) return "";
  return figure(page, "evaluation",
                fmt::format("{} in all, in no step",
                            format_time(static_cast<double>(page.breakdown.evaluation_ns))));
}

std::string render_phases(const Page& page) {
  if (!page.timed()) return "";
  std::string text = page.heading("Where a step goes");
  const std::size_t columns =
      std::min(kBarColumns, page.options.width > 60 ? page.options.width - 40 : std::size_t{20});
  for (std::size_t index = 0; index < model::kPhases; ++index) {
    const model::Phase phase = static_cast<model::Phase>(index);
    const std::uint64_t sum_ns = page.breakdown.phase_ns[index];
    const double percent = page.percent_of_step(sum_ns);
    text += fmt::format("  {:<10}", model::name_of(phase));
    text += set_in(page.time(sum_ns), 9, Align::Right);
    text += set_in(format_percent(percent), 9, Align::Right);
    const std::string drawn = bar(percent / 100.0, columns);
    if (!drawn.empty()) text += "  " + page.paint(style_of(phase), drawn);
    if (phase == model::Phase::Other && sum_ns > 0) {
      text += "  " + page.paint(Style::Faint, fmt::format("Python {}, copies {}",
                                                          page.time(page.breakdown.python_ns),
                                                          page.time(page.breakdown.copy_ns)));
    }
    text += '\n';
  }
  return text;
}

}  // namespace sightline::profile
