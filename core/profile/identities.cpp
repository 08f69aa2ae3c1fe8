#include "core/profile/identities.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sightline::profile {
namespace {

template <typename Array>
std::uint64_t sum_of(const Array& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

void check_equal(std::vector<std::string>& problems, const char* what, std::uint64_t have,
                 const char* whole, std::uint64_t want, const char* unit) {
  if (have == want) return;
  problems.push_back(
      fmt::format("{} add up to {} {}, but {} is {} {}.", what, have, unit, whole, want, unit));
}

}  // namespace

std::vector<std::string> find_problems(const model::Run& run, const Breakdown& breakdown,
                                       const CallTree& tree, const NodeSums& sums) {
  std::vector<std::string> problems;
  if (!run.info.problem.empty()) {
    problems.push_back("The recorder turned itself off: " + run.info.problem);
  }
  if (!run.info.finished) {
    problems.push_back(
        "The recording has no end: it is still going on, or the program was ended from outside.");
  }
  if (run.totals.counted_steps > 0) {
    check_equal(problems, "The costs of the training thread", breakdown.cost_ns,
                "the steps' wall time", run.totals.wall_ns, "ns");
    check_equal(problems, "The kinds of time", sum_of(run.totals.kind_ns), "the steps' wall time",
                run.totals.wall_ns, "ns");
  }
  if (run.memory.known) {
    check_equal(problems, "The blocks alive at the peak", sum_of(breakdown.memory.at_peak),
                "the peak", run.memory.peak_bytes, "bytes");
  }
  if (!run.costs.empty() && std::none_of(run.threads.begin(), run.threads.end(),
                                         [](const model::Thread& t) { return t.training; })) {
    problems.push_back("No thread is named as the training thread, so no cost is in a step.");
  }
  if (tree.mended() + sums.lost_references > 0) {
    problems.push_back(fmt::format(
        "{} references lead nowhere; what they carry is unattributed. The file may be damaged.",
        tree.mended() + sums.lost_references));
  }
  return problems;
}

}  // namespace sightline::profile
