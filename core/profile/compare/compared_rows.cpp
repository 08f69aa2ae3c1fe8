#include "core/profile/compare/compared_rows.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace sightline::profile {
namespace {

constexpr std::size_t kNoPartner = static_cast<std::size_t>(-1);

bool same_place(const LineRow& a, const LineRow& b) {
  return std::tie(a.file, a.line, a.function) == std::tie(b.file, b.line, b.function);
}

using SourceLine = std::pair<std::string, std::uint32_t>;

// Where that line of the run before is in the run after.
std::optional<SourceLine> place_after(const LineRow& row,
                                      const std::map<std::string, FileMatch>& files) {
  const auto file = files.find(row.file);
  if (file == files.end()) return std::nullopt;
  const std::uint32_t line = file->second.lines.after(row.line);
  if (line == 0 && row.line != 0) return std::nullopt;
  return SourceLine{file->second.after, line};
}

void take_back_descent(Breakdown& breakdown) {
  if (!breakdown.descent) return;
  const LineRow whole = breakdown.descent->before;
  std::vector<LineRow>& lines = breakdown.lines;
  std::erase_if(lines, [](const LineRow& row) { return row.role == model::FileRole::Library; });
  const auto kept = std::find_if(lines.begin(), lines.end(),
                                 [&](const LineRow& row) { return same_place(row, whole); });
  if (kept == lines.end()) {
    lines.insert(lines.begin(), whole);
  } else {
    *kept = whole;
  }
  breakdown.descent.reset();
}

// By row before: the row after, kNoPartner if there is no key or no row of it. Several rows of one
// key are taken in their order.
template <typename Rows, typename BeforeKey, typename AfterKey>
void pair_by_key(const Rows& before, const Rows& after, std::vector<std::size_t>& partner,
                 std::vector<bool>& taken, BeforeKey before_key, AfterKey after_key) {
  std::map<decltype(after_key(after[0])), std::deque<std::size_t>> free;
  for (std::size_t at = 0; at < after.size(); ++at) {
    if (!taken[at]) free[after_key(after[at])].push_back(at);
  }
  for (std::size_t at = 0; at < before.size(); ++at) {
    if (partner[at] != kNoPartner) continue;
    const auto key = before_key(before[at]);
    if (!key) continue;
    const auto found = free.find(*key);
    if (found == free.end() || found->second.empty()) continue;
    partner[at] = found->second.front();
    taken[partner[at]] = true;
    found->second.pop_front();
  }
}

// Calls make(row before or null, row after or null) for every pair and every row that is alone.
template <typename Row, typename Make>
void for_pairs(const std::vector<Row>& before, const std::vector<Row>& after,
               const std::vector<std::size_t>& partner, const std::vector<bool>& taken, Make make) {
  for (std::size_t at = 0; at < before.size(); ++at) {
    make(&before[at], partner[at] == kNoPartner ? nullptr : &after[partner[at]]);
  }
  for (std::size_t at = 0; at < after.size(); ++at) {
    if (!taken[at]) make(static_cast<const Row*>(nullptr), &after[at]);
  }
}

template <typename Row>
Presence presence_of(const Row* before, const Row* after) {
  if (after == nullptr) return Presence::OnlyBefore;
  return before == nullptr ? Presence::OnlyAfter : Presence::Both;
}

}  // namespace

void align_descents(Breakdown& before, Breakdown& after,
                    const std::map<std::string, FileMatch>& files) {
  if (before.descent && after.descent) {
    const LineRow& from = before.descent->before;
    const LineRow& to = after.descent->before;
    if (place_after(from, files) == SourceLine(to.file, to.line) && from.function == to.function)
      return;
  }
  take_back_descent(before);
  take_back_descent(after);
}

std::vector<LineChange> compare_lines(const Breakdown& before, const Breakdown& after,
                                      const std::map<std::string, FileMatch>& files,
                                      const Judge& judge) {
  std::vector<std::size_t> partner(before.lines.size(), kNoPartner);
  std::vector<bool> taken(after.lines.size(), false);
  using Place = std::tuple<std::string, std::uint32_t, std::string>;
  pair_by_key(
      before.lines, after.lines, partner, taken,
      [&](const LineRow& row) -> std::optional<Place> {
        const std::optional<SourceLine> place = place_after(row, files);
        if (!place) return std::nullopt;
        return Place{place->first, place->second, row.function};
      },
      [](const LineRow& row) {
        return Place{row.file, row.line, row.function};
      });
  pair_by_key(
      before.lines, after.lines, partner, taken,
      [&](const LineRow& row) { return row.source ? place_after(row, files) : std::nullopt; },
      [](const LineRow& row) {
        return SourceLine{row.file, row.line};
      });

  std::vector<LineChange> changes;
  for_pairs(before.lines, after.lines, partner, taken, [&](const LineRow* a, const LineRow* b) {
    const Presence presence = presence_of(a, b);
    LineChange change;
    if (a != nullptr) change.before = *a;
    if (b != nullptr) change.after = *b;
    const LineRow none;
    const LineRow& from = a != nullptr ? *a : none;
    const LineRow& to = b != nullptr ? *b : none;
    change.self = judge.part(from.self_ns(), to.self_ns(), presence);
    change.total = judge.part(from.total_ns, to.total_ns, presence);
    if (before.memory.totals.known && after.memory.totals.known) {
      change.peak_bytes =
          Judge::bytes(from.peak_bytes, to.peak_bytes, Judge::kBytesFloor, presence);
    }
    changes.push_back(std::move(change));
  });
  std::stable_sort(changes.begin(), changes.end(), [](const LineChange& a, const LineChange& b) {
    const double a_size = std::abs(a.self.difference()), b_size = std::abs(b.self.difference());
    return std::tie(b_size, a.row().file, a.row().line, a.row().function) <
           std::tie(a_size, b.row().file, b.row().line, b.row().function);
  });
  return changes;
}

std::vector<ModuleChange> compare_modules(const Breakdown& before, const Breakdown& after,
                                          const Judge& judge) {
  std::vector<std::size_t> partner(before.modules.size(), kNoPartner);
  std::vector<bool> taken(after.modules.size(), false);
  const auto key = [](const ModuleRow& row) { return std::pair(row.path, row.type); };
  pair_by_key(
      before.modules, after.modules, partner, taken,
      [&](const ModuleRow& row) { return std::optional(key(row)); }, key);
  std::vector<ModuleChange> changes;
  for_pairs(
      before.modules, after.modules, partner, taken, [&](const ModuleRow* a, const ModuleRow* b) {
        const Presence presence = presence_of(a, b);
        const ModuleRow none;
        const ModuleRow& from = a != nullptr ? *a : none;
        const ModuleRow& to = b != nullptr ? *b : none;
        const ModuleRow& named = b != nullptr ? to : from;
        ModuleChange change{named.path, named.type, {}, {}, {}, {}};
        change.total = judge.part(from.times.sum(), to.times.sum(), presence);
        change.self = judge.part(from.self.sum(), to.self.sum(), presence);
        change.parameter_bytes =
            Judge::bytes(from.parameter_bytes, to.parameter_bytes, Judge::kBytesFloor, presence);
        if (before.memory.totals.known && after.memory.totals.known) {
          change.activation_bytes = Judge::bytes(from.activation_bytes, to.activation_bytes,
                                                 Judge::kBytesFloor, presence);
        }
        changes.push_back(std::move(change));
      });
  std::stable_sort(changes.begin(), changes.end(),
                   [](const ModuleChange& a, const ModuleChange& b) {
                     const double a_size = std::abs(a.total.difference());
                     const double b_size = std::abs(b.total.difference());
                     return std::tie(b_size, a.path, a.type) < std::tie(a_size, b.path, b.type);
                   });
  return changes;
}

}  // namespace sightline::profile
