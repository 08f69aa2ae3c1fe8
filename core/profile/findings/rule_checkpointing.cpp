#include <algorithm>
#include <map>
#include <utility>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kCheckpointingShare = 0.30;  // of the peak, that could be freed
constexpr std::size_t kFewestBlocks = 3;

// Modules of one type that are held by the same one: the layers of a model.
struct Blocks {
  const ModuleRow* holder = nullptr;
  std::string type;
  std::size_t count = 0;
  std::uint64_t activation_bytes = 0;
  std::uint64_t largest_bytes = 0;
  std::uint64_t forward_ns = 0;

  // Of a block only its input stays, for which there is no figure: about what one of its own
  // tensors takes. One block at a time is computed again.
  std::uint64_t freed_bytes() const { return activation_bytes - largest_bytes; }
};

std::vector<Blocks> blocks_of(const Facts& facts) {
  std::map<std::pair<model::ModuleId, std::string>, Blocks> by_holder;
  std::map<model::ModuleId, const ModuleRow*> by_id;
  for (const ModuleRow& row : facts.breakdown.modules) by_id[row.id] = &row;
  for (const ModuleRow& row : facts.breakdown.modules) {
    if (row.parent == model::kNone) continue;
    Blocks& blocks = by_holder[{row.parent, row.type}];
    blocks.holder = by_id[row.parent];
    blocks.type = row.type;
    ++blocks.count;
    blocks.activation_bytes += row.activation_bytes;
    blocks.largest_bytes = std::max(blocks.largest_bytes, row.activation_bytes);
    blocks.forward_ns += row.times.forward();
  }
  std::vector<Blocks> found;
  for (const auto& [key, blocks] : by_holder) {
    if (blocks.count >= kFewestBlocks && blocks.holder != nullptr) found.push_back(blocks);
  }
  return found;
}

}  // namespace

void find_checkpointing(const Facts& facts, std::vector<Finding>& findings) {
  const MemoryTable& memory = facts.breakdown.memory;
  const auto& kinds = facts.run.totals.kind_ns;
  const bool checkpointed = kinds[static_cast<std::size_t>(model::CostKind::Recompute)] > 0;
  if (!memory.totals.known || memory.totals.peak_bytes == 0 || checkpointed) return;
  const std::vector<Blocks> all = blocks_of(facts);
  const auto best = std::max_element(all.begin(), all.end(), [](const Blocks& a, const Blocks& b) {
    return a.freed_bytes() < b.freed_bytes();
  });
  if (best == all.end()) return;
  const double share =
      static_cast<double>(best->freed_bytes()) / static_cast<double>(memory.totals.peak_bytes);
  if (share < kCheckpointingShare) return;
  const double longer = facts.share(best->forward_ns);
  const std::string holder = best->holder->path.empty() ? "the model" : best->holder->path;
  Finding finding = finding_of("checkpointing", Severity::Info);
  finding.title = "checkpointing the " + std::to_string(best->count) + " " + best->type + " of " +
                  holder + " would free up to " + format_bytes(best->freed_bytes()) +
                  " of the peak";
  finding.evidence = {{"freed_bytes", static_cast<double>(best->freed_bytes())},
                      {"share_percent", 100 * share},
                      {"blocks", static_cast<double>(best->count)},
                      {"longer_percent", 100 * longer}};
  finding.advice =
      "Call each as torch.utils.checkpoint.checkpoint(block, x, "
      "use_reentrant=False). Their forward pass runs twice then: a step takes about " +
      format_percent(100 * longer) + " longer. It pays where memory limits the batch.";
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
