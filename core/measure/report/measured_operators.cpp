#include <algorithm>

#include "core/measure/report/report_parts.h"
#include "core/measure/work.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::measure {
namespace {

using model::MeasuredOperator;
using profile::Align;
using profile::Cell;
using profile::Style;

constexpr std::size_t kOperatorsShown = 10;

std::uint64_t sum_of_passes(const model::PassNumbers& numbers) {
  return numbers.forward + numbers.backward + numbers.optimizer;
}

std::vector<const MeasuredOperator*> most_expensive_first(
    const std::vector<MeasuredOperator>& all) {
  std::vector<const MeasuredOperator*> rows;
  rows.reserve(all.size());
  for (const MeasuredOperator& row : all) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const MeasuredOperator* a, const MeasuredOperator* b) {
                     if (a->time_share != b->time_share) return a->time_share > b->time_share;
                     return sum_of_passes(a->work.flops) > sum_of_passes(b->work.flops);
                   });
  return rows;
}

Cell amount_cell(const model::PassNumbers& numbers) {
  const std::uint64_t sum = sum_of_passes(numbers);
  return sum > 0 ? Cell{profile::format_amount(static_cast<double>(sum))}
                 : Cell{profile::kNothing, Style::Faint};
}

std::vector<Cell> cells_of_operator(const MeasuredOperator& row) {
  const auto known = [](const std::optional<double>& number, auto format) {
    return number ? Cell{format(*number)} : Cell{profile::kNothing, Style::Faint};
  };
  return {{profile::printable(row.name)},
          {profile::format_count(static_cast<double>(row.calls))},
          known(row.time_share, [](double share) { return profile::format_percent(100 * share); }),
          amount_cell(row.work.flops),
          {profile::format_bytes(sum_of_passes(row.work.bytes))},
          known(intensity_of(row.work), profile::format_ratio),
          amount_cell(row.work.macs)};
}

}  // namespace

std::string render_measured_operators(const MeasurementPage& page) {
  const auto rows = most_expensive_first(page.measurement.operators);
  if (rows.empty()) return "";
  const std::size_t wanted = page.wanted.top.value_or(kOperatorsShown);
  const std::size_t shown = wanted == 0 ? rows.size() : std::min(wanted, rows.size());
  profile::Table table({{"operator", Align::Left},
                        {"calls"},
                        {"of time"},
                        {"FLOPs"},
                        {"read and written"},
                        {"FLOPs/byte"},
                        {"MACs"}});
  for (std::size_t i = 0; i < shown; ++i) table.add(cells_of_operator(*rows[i]));
  return page.heading("Operators", "all passes together, the most expensive first") +
         table.render(page.options.width, page.paint) +
         page.left_out(rows.size(), shown, "operators");
}

}  // namespace sightline::measure
