#include <algorithm>
#include <map>
#include <utility>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kPeakShare = 0.50;         // of the peak, in one category
constexpr double kPeakWarningShare = 0.80;  // of the memory there is, for the whole process

struct Holder {
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t bytes = 0;
};

// The project line with most blocks of that category at the peak.
Holder largest_holder(const Facts& facts, model::Category category) {
  std::map<std::pair<model::FileId, std::uint32_t>, std::uint64_t> bytes;
  Holder most;
  for (const model::PeakBlocks& blocks : facts.run.peak_blocks) {
    const model::NodeId line = facts.project_lines[facts.tree.known(blocks.node)];
    if (blocks.category != category || line == model::kNone) continue;
    const model::Frame& frame = *facts.tree.frame(line);
    const std::uint64_t sum = bytes[{frame.file, frame.line}] += blocks.bytes;
    if (sum > most.bytes) most = {facts.tree.file(line)->path, frame.line, sum};
  }
  return most;
}

std::string holder_in_words(model::Category category) {
  if (category == model::Category::Optimizer) return "the optimizer's state holds";
  if (category == model::Category::Other) return "blocks of no known kind hold";
  return std::string(model::name_of(category)) + " hold";
}

std::string what_helps(model::Category category) {
  switch (category) {
    case model::Category::Activation:
      return "Activations grow with the batch: a smaller one, lower precision (autocast with "
             "bfloat16) or checkpointing needs less.";
    case model::Category::Optimizer:
      return "The optimizer's state does not depend on the batch: an optimizer with less state "
             "(SGD has one copy of the parameters at most, Adam two) needs less.";
    case model::Category::Parameter:
    case model::Category::Gradient:
      return "It does not depend on the batch: lower precision or a smaller model needs less.";
    case model::Category::Temporary:
      return "Temporaries live inside an operator or until the next: look at the lines "
             "that hold most at the peak.";
    case model::Category::Input:
      return "Batches are held longer than needed, or very large: drop the reference to a batch "
             "before the next is made.";
    case model::Category::Buffer:
    case model::Category::Other:
      break;
  }
  return "Look at the lines that hold most at the peak.";
}

}  // namespace

void find_peak_holder(const Facts& facts, std::vector<Finding>& findings) {
  const MemoryTable& memory = facts.breakdown.memory;
  if (!memory.totals.known || memory.totals.peak_bytes == 0) return;
  const auto peak = static_cast<double>(memory.totals.peak_bytes);
  const auto largest = std::max_element(memory.at_peak.begin(), memory.at_peak.end());
  const double share = static_cast<double>(*largest) / peak;
  if (share < kPeakShare) return;
  const auto category =
      static_cast<model::Category>(std::distance(memory.at_peak.begin(), largest));
  const auto capacity = static_cast<double>(memory.totals.capacity_bytes);
  const double full =
      capacity <= 0 ? 0 : static_cast<double>(memory.totals.process_peak_bytes) / capacity;
  const Holder holder = largest_holder(facts, category);
  Finding finding = finding_at("memory-peak", severity_of(full, kPeakWarningShare),
                               holder.bytes > 0 ? &holder : nullptr);
  finding.title = holder_in_words(category) + " " + format_bytes(*largest) + " of the " +
                  format_bytes(memory.totals.peak_bytes) + " at the peak";
  finding.evidence = {{"bytes", static_cast<double>(*largest)},
                      {"share_percent", 100 * share},
                      {"process_share_percent", 100 * full}};
  if (holder.bytes > 0) {
    finding.evidence.emplace_back("line_bytes", static_cast<double>(holder.bytes));
  }
  finding.advice = what_helps(category);
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
