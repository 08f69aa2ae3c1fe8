#include "core/measure/report/measurement_report.h"

#include "core/measure/report/report_parts.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/shell_word.h"
#include "core/profile/report/units.h"

namespace sightline::measure {
namespace {

using profile::Align;
using profile::Cell;
using profile::Style;

std::string render_uncounted(const MeasurementPage& page) {
  const std::vector<model::UncountedCalls>& uncounted = page.measurement.uncounted;
  if (uncounted.empty()) return "";
  profile::Table table({{"operator", Align::Left}, {"calls"}, {"of time"}});
  for (const model::UncountedCalls& row : uncounted) {
    table.add({{profile::printable(row.name), Style::Worse},
               {profile::format_count(static_cast<double>(row.calls))},
               row.time_share ? Cell{profile::format_percent(100.0 * *row.time_share)}
                              : Cell{profile::kNothing, Style::Faint}});
  }
  return page.heading("Not counted", "no formula: their arithmetic is missing above") +
         table.render(page.options.width, page.paint);
}

std::string render_next(const MeasurementPage& page) {
  const std::string& run = page.options.run_path;
  if (run.empty()) {
    return "\n" + page.paint(Style::Faint, "Next: ") +
           "-o RUN keeps it, for sightline compare and sightline gate\n";
  }
  const std::string word = profile::shell_word(run);
  return "\n" + page.paint(Style::Faint, "Next: ") + "sightline report " + word + " --json\n" +
         page.paint(Style::Faint, "      or sightline compare " + word + " OTHER, sightline gate " +
                                      word + " NEW --max macs:+0%") +
         "\n";
}

}  // namespace

std::string render_measurement(const model::RunInfo& info, const model::Measurement& measurement,
                               const MeasurementText& options) {
  const MeasurementPage page{
      {options.text, profile::Paint(options.text.color)}, info, measurement, options};
  return page.in_its_characters(render_measured_title(page) + render_measured_numbers(page) +
                                render_measured_layers(page) + render_measured_operators(page) +
                                render_uncounted(page) + render_next(page));
}

}  // namespace sightline::measure
