// What text reports share, and the parts of the one about a run. For rooms that write reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/profile/breakdown.h"
#include "core/profile/report/paint.h"
#include "core/profile/report/report_text.h"
#include "core/profile/report/table.h"

namespace sightline::profile {

inline constexpr const char kNothing[] = "·";  // a zero, where a number would be noise
inline constexpr std::size_t kBarColumns = 40;
inline constexpr std::size_t kNoteIndent = 4;

// What every text report has.
struct TextPage {
  const TextOptions& options;
  Paint paint;

  std::string heading(std::string_view text, std::string_view remark = "") const;
  std::size_t rows_to_show(std::size_t all) const;  // of the main table
  std::string left_out(std::size_t all, std::size_t shown, std::string_view what) const;
  std::string in_its_characters(const std::string& text) const;  // ASCII, if it is to be
};

struct Page : TextPage {
  const Breakdown& breakdown;

  bool timed() const { return breakdown.counted_steps > 0; }
  // Then memory is not all memory: what a device has allocated is not recorded block by block.
  bool has_device() const {
    return !breakdown.info.device.empty() && breakdown.info.device != "cpu";
  }
  double per_step(std::uint64_t sum) const;            // 0 if no step counts
  double percent_of_step(std::uint64_t sum_ns) const;  // 0 if no step counts
  std::string time(std::uint64_t sum_ns) const;        // mean per step
  Cell time_cell(std::uint64_t sum_ns) const;          // coloured by its share of the step
  Cell share_cell(std::uint64_t sum_ns) const;
  Cell count_cell(std::uint64_t sum) const;  // mean per step
  Cell bytes_cell(double bytes) const;
};

// A bar of so many columns at most, for a share from 0 to 1; at least a sliver if it is not 0.
std::string bar(double share, std::size_t columns);

std::string place_of(const LineRow& line);   // "model.py:12", printable
std::string remark_on(const LineRow& line);  // its function and its text, printable

// What the reader has to know about the run as a whole, in plain words.
std::vector<std::string> notes_on(const Breakdown& breakdown);

// Each part is whole lines, or empty if there is nothing to say.
std::string render_title(const Page& page);
std::string render_figures(const Page& page);
std::string render_evaluation(const Page& page);
std::string render_phases(const Page& page);
std::string render_lines(const Page& page, std::size_t top);
std::string render_modules(const Page& page, std::size_t top);
std::string render_operators(const Page& page, std::size_t top);
std::string render_memory(const Page& page);
std::string render_findings(const Page& page);
std::string render_throughput(const Page& page);
std::string render_threads(const Page& page);
std::string render_notes(const Page& page);
std::string render_next(const Page& page);

// The warnings among the findings, one line each.
std::string findings_in_short(const Page& page, std::size_t most);

}  // namespace sightline::profile
