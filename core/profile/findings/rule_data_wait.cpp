#include <algorithm>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kDataWaitShare = 0.10;
constexpr double kDataWaitWarningShare = 0.25;

// The function in which a DataLoader with worker processes waits for one of them.
bool waits_for_workers(const model::Run& run, const CallTree& tree) {
  return std::any_of(run.costs.begin(), run.costs.end(), [&](const model::Cost& cost) {
    if (cost.kind != model::CostKind::Data) return false;
    for (model::NodeId at = tree.known(cost.node); at != model::kNone; at = tree.parent(at)) {
      const model::Frame* frame = tree.frame(at);
      if (frame != nullptr && frame->function.ends_with("_try_get_data")) return true;
    }
    return false;
  });
}

}  // namespace

void find_data_wait(const Facts& facts, std::vector<Finding>& findings) {
  const auto& phases = facts.breakdown.phase_ns;
  const std::uint64_t data_ns = phases[static_cast<std::size_t>(model::Phase::Data)];
  const double share = facts.share(data_ns);
  if (share < kDataWaitShare) return;
  const LineRow* line = facts.line_with_most([](const LineRow& row) { return row.self.data(); });
  Finding finding = finding_at("data-wait", severity_of(share, kDataWaitWarningShare), line);
  finding.title = "a step waits " + facts.time(data_ns) + " for data, " +
                  format_percent(100 * share) + " of its time";
  const bool workers = waits_for_workers(facts.run, facts.tree);
  finding.evidence = {{"data_ms", facts.ms_per_step(data_ns)},
                      {"share_percent", 100 * share},
                      {"gain_percent", 100 * share}};
  finding.advice =
      workers ? "The loader's worker processes are slower than the step: give the DataLoader more "
                "of them (num_workers), or make the dataset's __getitem__ cheaper."
              : "The DataLoader loads in the training process: num_workers=2 or more, with "
                "persistent_workers=True, loads while the step computes.";
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
