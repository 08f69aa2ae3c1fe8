#include "core/profile/compare/shortest_edit.h"

#include <algorithm>

namespace sightline::profile {
namespace {

constexpr std::int64_t kLongestEdit = 1000;  // memory grows with its square
constexpr std::int64_t kNowhere = -1;

// How far each diagonal got with so many edits. A diagonal is the index before minus that after.
class Frontier {
 public:
  explicit Frontier(std::int64_t edits)
      : edits_(edits), reached_(static_cast<std::size_t>(2 * edits + 1), kNowhere) {}

  std::int64_t at(std::int64_t diagonal) const {
    if (diagonal < -edits_ || diagonal > edits_) return kNowhere;
    return reached_[static_cast<std::size_t>(diagonal + edits_)];
  }
  void set(std::int64_t diagonal, std::int64_t x) {
    reached_[static_cast<std::size_t>(diagonal + edits_)] = x;
  }

 private:
  std::int64_t edits_;
  std::vector<std::int64_t> reached_;
};

class ShortestEdit {
 public:
  ShortestEdit(Stretch before, Stretch after) : before_(before), after_(after) {}

  bool find(std::int64_t& work) {
    const std::int64_t longest = std::min(before_.size + after_.size, kLongestEdit);
    for (std::int64_t edits = 0; edits <= longest; ++edits) {
      Frontier frontier(edits);
      for (std::int64_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
        const std::int64_t start = edits == 0 ? 0 : start_on(diagonal);
        if (start == kNowhere) continue;
        const std::int64_t x = follow(diagonal, start);
        work -= x - start + 1;
        frontier.set(diagonal, x);
        if (x == before_.size && x - diagonal == after_.size) {
          trace_.push_back(std::move(frontier));
          return true;
        }
      }
      trace_.push_back(std::move(frontier));
      if (work < 0) return false;
    }
    return false;
  }

  std::vector<std::pair<std::int64_t, std::int64_t>> pairs() {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    std::int64_t x = before_.size;
    std::int64_t diagonal = before_.size - after_.size;
    while (!trace_.empty()) {
      trace_.pop_back();
      const std::int64_t start = trace_.empty() ? 0 : start_on(diagonal);
      for (; x > start; --x) pairs.emplace_back(x - 1, x - 1 - diagonal);
      if (trace_.empty()) break;
      const bool removed = removal_to(diagonal) > insertion_to(diagonal);
      x = removed ? start - 1 : start;
      diagonal += removed ? -1 : 1;
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
  }

 private:
  std::int64_t removal_to(std::int64_t diagonal) const {
    const std::int64_t x = trace_.back().at(diagonal - 1);
    return x != kNowhere && x < before_.size ? x + 1 : kNowhere;
  }
  std::int64_t insertion_to(std::int64_t diagonal) const {
    const std::int64_t x = trace_.back().at(diagonal + 1);
    return x != kNowhere && x - diagonal <= after_.size ? x : kNowhere;
  }
  std::int64_t start_on(std::int64_t diagonal) const {
    return std::max(removal_to(diagonal), insertion_to(diagonal));
  }
  std::int64_t follow(std::int64_t diagonal, std::int64_t x) const {
    while (x < before_.size && x - diagonal < after_.size &&
           before_.lines[x] == after_.lines[x - diagonal]) {
      ++x;
    }
    return x;
  }

  Stretch before_;
  Stretch after_;
  std::vector<Frontier> trace_;  // by edits
};

}  // namespace

std::vector<std::pair<std::int64_t, std::int64_t>> common_lines(Stretch before, Stretch after,
                                                                std::int64_t& work) {
  ShortestEdit edit(before, after);
  if (work < 0 || !edit.find(work)) return {};
  return edit.pairs();
}

}  // namespace sightline::profile
