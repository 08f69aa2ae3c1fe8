#include "core/measure/status/near_names.h"

#include <algorithm>
#include <utility>

namespace sightline::measure {
namespace {

constexpr std::size_t kLettersForOneError = 3;

// Three rows of the usual table of distances between beginnings: the one that is being filled and
// the two before it.
std::size_t typing_errors(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::vector<std::size_t> row(to.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t wrong = from[i - 1] == to[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + wrong});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : known) {
    const std::size_t errors = typing_errors(name, candidate);
    const std::size_t allowed = std::max(name.size(), candidate.size()) / kLettersForOneError;
    if (errors <= allowed) near.emplace_back(errors, candidate);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> names;
  names.reserve(near.size());
  for (auto& [errors, candidate] : near) names.push_back(std::move(candidate));
  return names;
}

}  // namespace sightline::measure
