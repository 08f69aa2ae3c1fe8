#include "core/profile/compare/line_matching.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/profile/compare/line_likeness.h"
#include "core/profile/compare/shortest_edit.h"
#include "core/profile/source_lines.h"

namespace sightline::profile {
namespace {

constexpr std::size_t kMostLines = 200'000;  // of longer texts only beginning and end are compared
constexpr int kDeepest = 16;
constexpr std::int64_t kWork = 20'000'000;    // steps along diagonals
constexpr std::size_t kPairsInAll = 400'000;  // comparisons of changed lines, in the whole text
constexpr std::size_t kPairsAtOnce = 10'000;  // the same between two unchanged lines

// What is still to be matched: lines [before, before_end) with [after, after_end), from 0.
struct Gap {
  std::size_t before, before_end, after, after_end;
  int depth = 0;
};

class LineMatcher {
 public:
  LineMatcher(std::string_view before, std::string_view after)
      : before_(lines_of(before)), after_(lines_of(after)) {
    for (std::string_view& line : before_) before_ids_.push_back(id_of(line = trimmed(line)));
    for (std::string_view& line : after_) after_ids_.push_back(id_of(line = trimmed(line)));
    matched_.assign(before_.size(), 0);
    occurrences_.resize(ids_.size());
  }

  std::vector<std::uint32_t> match() {
    gaps_.push_back({0, before_.size(), 0, after_.size()});
    while (!gaps_.empty()) {
      Gap gap = gaps_.back();
      gaps_.pop_back();
      match_ends(gap);
      if (gap.before == gap.before_end || gap.after == gap.after_end) continue;
      if (before_.size() > kMostLines || after_.size() > kMostLines) continue;
      if (gap.depth < kDeepest && match_unique(gap)) continue;
      match_shortest(gap);
    }
    pair_changed();
    return std::move(matched_);
  }

 private:
  struct Occurrences {
    std::size_t before = 0, after = 0;        // how often
    std::size_t before_at = 0, after_at = 0;  // the last one
  };

  std::uint32_t id_of(std::string_view line) {
    return ids_.try_emplace(line, static_cast<std::uint32_t>(ids_.size())).first->second;
  }

  void match(std::size_t before, std::size_t after) {
    matched_[before] = static_cast<std::uint32_t>(after + 1);
  }

  void match_ends(Gap& gap) {
    while (gap.before < gap.before_end && gap.after < gap.after_end &&
           before_ids_[gap.before] == after_ids_[gap.after]) {
      match(gap.before++, gap.after++);
    }
    while (gap.before < gap.before_end && gap.after < gap.after_end &&
           before_ids_[gap.before_end - 1] == after_ids_[gap.after_end - 1]) {
      match(--gap.before_end, --gap.after_end);
    }
  }

  // Matches lines that occur once on each side, as many as keep their order; false if none does.
  bool match_unique(const Gap& gap) {
    for (std::size_t at = gap.before; at < gap.before_end; ++at) {
      Occurrences& found = occurrences_[before_ids_[at]];
      ++found.before;
      found.before_at = at;
    }
    for (std::size_t at = gap.after; at < gap.after_end; ++at) {
      Occurrences& found = occurrences_[after_ids_[at]];
      ++found.after;
      found.after_at = at;
    }
    std::vector<std::pair<std::size_t, std::size_t>> unique;  // by the line before
    for (std::size_t at = gap.before; at < gap.before_end; ++at) {
      const Occurrences& found = occurrences_[before_ids_[at]];
      if (found.before == 1 && found.after == 1) unique.emplace_back(at, found.after_at);
    }
    for (std::size_t at = gap.before; at < gap.before_end; ++at) occurrences_[before_ids_[at]] = {};
    for (std::size_t at = gap.after; at < gap.after_end; ++at) occurrences_[after_ids_[at]] = {};
    if (unique.empty()) return false;

    Gap between{gap.before, gap.before_end, gap.after, gap.after_end, gap.depth + 1};
    for (const std::size_t index : longest_rising(unique)) {
      const auto [before, after] = unique[index];
      match(before, after);
      gaps_.push_back({between.before, before, between.after, after, between.depth});
      between.before = before + 1;
      between.after = after + 1;
    }
    gaps_.push_back(between);
    return true;
  }

  // Indices of the longest subsequence whose second members rise.
  static std::vector<std::size_t> longest_rising(
      const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    constexpr std::size_t kNoPair = static_cast<std::size_t>(-1);
    std::vector<std::size_t> ends;  // by length: the pair that ends it with the smallest second
    std::vector<std::size_t> previous(pairs.size(), kNoPair);
    for (std::size_t index = 0; index < pairs.size(); ++index) {
      const auto place = std::lower_bound(
          ends.begin(), ends.end(), pairs[index].second,
          [&](std::size_t end, std::size_t second) { return pairs[end].second < second; });
      if (place != ends.begin()) previous[index] = *(place - 1);
      if (place == ends.end()) {
        ends.push_back(index);
      } else {
        *place = index;
      }
    }
    std::vector<std::size_t> rising;
    for (std::size_t at = ends.empty() ? kNoPair : ends.back(); at != kNoPair; at = previous[at]) {
      rising.push_back(at);
    }
    std::reverse(rising.begin(), rising.end());
    return rising;
  }

  void match_shortest(const Gap& gap) {
    const auto stretch = [](const std::vector<std::uint32_t>& ids, std::size_t from,
                            std::size_t end) {
      return Stretch{ids.data() + from, static_cast<std::int64_t>(end - from)};
    };
    for (const auto& [before, after] :
         common_lines(stretch(before_ids_, gap.before, gap.before_end),
                      stretch(after_ids_, gap.after, gap.after_end), work_)) {
      match(gap.before + static_cast<std::size_t>(before),
            gap.after + static_cast<std::size_t>(after));
    }
  }

  void pair_changed() {
    std::size_t in_all = kPairsInAll;
    std::size_t before = 0, after = 0;
    for (std::size_t at = 0; at <= before_.size(); ++at) {
      if (at < before_.size() && matched_[at] == 0) continue;
      const std::size_t after_end = at < before_.size() ? matched_[at] - 1 : after_.size();
      pair_between({before, at, after, after_end}, in_all);
      before = at + 1;
      after = after_end + 1;
    }
  }

  void pair_between(const Gap& gap, std::size_t& in_all) {
    if (gap.before == gap.before_end || gap.after == gap.after_end) return;
    const auto part = [](const std::vector<std::string_view>& lines, std::size_t from,
                         std::size_t end) {
      return std::vector<std::string_view>(lines.begin() + static_cast<std::ptrdiff_t>(from),
                                           lines.begin() + static_cast<std::ptrdiff_t>(end));
    };
    std::size_t cells = std::min(kPairsAtOnce, in_all);
    const std::size_t given = cells;
    for (const auto& [before, after] : pair_alike(part(before_, gap.before, gap.before_end),
                                                  part(after_, gap.after, gap.after_end), cells)) {
      match(gap.before + before, gap.after + after);
    }
    in_all -= given - cells;
  }

  std::vector<std::string_view> before_;
  std::vector<std::string_view> after_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
  std::vector<std::uint32_t> before_ids_;
  std::vector<std::uint32_t> after_ids_;
  std::vector<Occurrences> occurrences_;  // by id; of the gap being looked at
  std::vector<std::uint32_t> matched_;    // by line before: the line after, from 1
  std::vector<Gap> gaps_;
  std::int64_t work_ = kWork;
};

}  // namespace

LineMap LineMap::same() {
  LineMap map;
  map.same_ = true;
  return map;
}

LineMap LineMap::of(std::vector<std::uint32_t> after_by_line) {
  LineMap map;
  map.after_ = std::move(after_by_line);
  return map;
}

LineMap match_lines(std::string_view before, std::string_view after) {
  if (before == after) return LineMap::same();
  return LineMap::of(LineMatcher(before, after).match());
}

}  // namespace sightline::profile
