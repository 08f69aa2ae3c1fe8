// The report for people: text for a terminal.
//
// Nothing in a run can steer the terminal: names and source lines are written out harmlessly.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/export.h"
#include "core/profile/breakdown.h"

namespace sightline::profile {

enum class SortKey {
  Self,
  Total,
  Forward,
  Backward,
  Python,
  Calls,
  Memory,  // bytes allocated (lines), bytes of parameters (modules)
  Peak,    // bytes alive at the peak
};

enum class GroupBy { Line, Module, Operator };

struct TextOptions {
  std::string run_path;  // as the user would type it
  GroupBy by = GroupBy::Line;
  std::optional<SortKey> sort =
      std::nullopt;      // by default: lines and operators by self, modules by total time
  std::size_t top = 15;  // rows of the main table; 0: all
  bool color = false;
  bool ascii = false;  // for terminals that show nothing else
  std::size_t width = 100;
  std::string more_sections{};  // of other rooms, before the advice on what to look at next
};

// The names that the command line uses for them; nothing for another name.
SIGHTLINE_API std::optional<SortKey> sort_key_named(std::string_view name);
SIGHTLINE_API std::optional<GroupBy> group_by_named(std::string_view name);

// The whole report. It ends with what to look at next.
SIGHTLINE_API std::string render_report(const Breakdown& breakdown, const TextOptions& options);

// At most ten lines for the end of a recording. The last one says how to see the report.
SIGHTLINE_API std::string render_summary(const Breakdown& breakdown, const TextOptions& options);

}  // namespace sightline::profile
