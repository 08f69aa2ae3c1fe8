#include "core/export/step_memory.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/profile/call_tree.h"

namespace sightline::exports {
namespace {

using model::Category;
using model::CostKind;
using model::NodeId;

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
// No memory is that large, and a file may hold any number.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48U;
constexpr std::int64_t kMostInAll = std::int64_t{1} << 60;

std::int64_t bounded(std::uint64_t bytes) {
  return static_cast<std::int64_t>(std::min(bytes, kMostBytes));
}

bool is_backward(CostKind kind) { return model::phase_of(kind) == model::Phase::Backward; }

// When passes of a step began, which decides what a block was for.
class Passes {
 public:
  Passes(const model::Run& run, const SampledStep& step) {
    const profile::CallTree tree(run);
    std::vector<bool> in_module(tree.size());
    for (const NodeId node : tree.parents_first()) {
      in_module[node] = tree.module(node) != model::kNone || in_module[tree.parent(node)];
    }
    std::vector<std::pair<std::uint64_t, bool>> starts;
    for (const ThreadSlices& thread : step.threads) {
      for (const Slice& slice : thread.slices) {
        starts.emplace_back(slice.start_ns, is_backward(slice.kind));
        if (in_module[tree.known(slice.node)]) {
          model_ns_ = std::min(model_ns_.value_or(slice.start_ns), slice.start_ns);
        }
      }
    }
    std::stable_sort(starts.begin(), starts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    bool in_backward = false;
    for (const auto& [at_ns, backward] : starts) {
      if (backward && !in_backward) backward_ns_.push_back(at_ns);
      in_backward = backward;
    }
  }

  // Without modules there is no border between making a batch and computing with it.
  bool before_the_model(std::uint64_t at_ns) const { return model_ns_ && at_ns < *model_ns_; }
  bool backward_began_between(std::uint64_t from_ns, std::uint64_t to_ns) const {
    const auto next = std::lower_bound(backward_ns_.begin(), backward_ns_.end(), from_ns);
    return next != backward_ns_.end() && *next <= to_ns;
  }

 private:
  std::optional<std::uint64_t> model_ns_;
  std::vector<std::uint64_t> backward_ns_;
};

using BlockKey = std::pair<NodeId, std::uint64_t>;  // who took it, and how many bytes

// Which change gives back what which change took.
struct Lives {
  std::vector<std::size_t> other;  // by change: the one at the other end of the life, or kNever
  std::map<BlockKey, std::size_t> survivors;  // of each kind of block one that outlives the step
};

Lives lives_of(const std::vector<MemoryChange>& changes) {
  Lives lives;
  lives.other.assign(changes.size(), kNever);
  std::map<BlockKey, std::deque<std::size_t>> alive;
  for (std::size_t at = 0; at < changes.size(); ++at) {
    std::deque<std::size_t>& same = alive[{changes[at].node, changes[at].bytes}];
    if (changes[at].taken) {
      same.push_back(at);
    } else if (!same.empty()) {
      lives.other[at] = same.front();
      lives.other[same.front()] = at;
      same.pop_front();
    }
  }
  for (const auto& [key, left] : alive) {
    if (!left.empty()) lives.survivors[key] = left.front();
  }
  return lives;
}

// The rules of core/record/memory_map.cpp.
class Purpose {
 public:
  Purpose(const model::Run& run, const SampledStep& step)
      : step_(step), passes_(run, step), lives_(lives_of(step.changes)) {
    for (const model::PeakBlocks& blocks : run.peak_blocks) {
      model::PeakBlocks& most = at_peak_[blocks.node];
      if (blocks.bytes >= most.bytes) most = blocks;
    }
  }

  Category of(std::size_t at) const {
    if (step_.changes[at].taken) return of_taken(at);
    const std::size_t taken = lives_.other[at];
    return taken == kNever ? of_older(step_.changes[at]) : of_taken(taken);
  }
  bool is_older(std::size_t at) const {
    return !step_.changes[at].taken && lives_.other[at] == kNever;
  }

 private:
  Category of_taken(std::size_t at) const {
    const MemoryChange& taken = step_.changes[at];
    const bool survives = lives_.other[at] == kNever;
    switch (taken.kind) {
      case CostKind::Data:
        return Category::Input;
      case CostKind::Recompute:
        return Category::Activation;
      case CostKind::Backward:
      case CostKind::Engine:
        return survives ? Category::Gradient : Category::Temporary;
      case CostKind::Optimizer:
        return survives ? Category::Optimizer : Category::Temporary;
      case CostKind::Forward:
      case CostKind::Copy:
      case CostKind::Python:
        break;
    }
    if (passes_.before_the_model(taken.at_ns)) return Category::Input;
    const std::uint64_t end_ns = survives ? step_.end_ns : step_.changes[lives_.other[at]].at_ns;
    return passes_.backward_began_between(taken.at_ns, end_ns) ? Category::Activation
                                                               : Category::Temporary;
  }

  // Taken in a step before: one like it that this step leaves behind tells what it is.
  Category of_older(const MemoryChange& given) const {
    const auto like = lives_.survivors.find({given.node, given.bytes});
    if (like != lives_.survivors.end()) return of_taken(like->second);
    const auto most = at_peak_.find(given.node);
    return most == at_peak_.end() ? Category::Other : most->second.category;
  }

  const SampledStep& step_;
  Passes passes_;
  Lives lives_;
  std::map<NodeId, model::PeakBlocks> at_peak_;
};

class StepMemoryBuilder {
 public:
  StepMemoryBuilder(const model::Run& run, const SampledStep& step) : run_(run), step_(step) {}

  StepMemory make() {
    if (step_.changes.empty()) return {};
    add_changes();
    add_older();
    add_lasting();
    memory_.peak_bytes += before_bytes_;
    return std::move(memory_);
  }

 private:
  // The sums begin with 0, so that the peak is what was added at the most.
  void add_changes() {
    const Purpose purpose(run_, step_);
    std::int64_t live = 0;
    for (std::size_t at = 0; at < step_.changes.size(); ++at) {
      const MemoryChange& change = step_.changes[at];
      StepMemory::Change& added = memory_.changes.emplace_back();
      added.node = change.node;
      added.category = purpose.of(at);
      added.bytes = change.taken ? bounded(change.bytes) : -bounded(change.bytes);
      added.at_ns = std::min(change.at_ns, step_.end_ns) - step_.start_ns;
      live = std::clamp(live + added.bytes, -kMostInAll, kMostInAll);
      if (live > memory_.peak_bytes) {
        memory_.peak_bytes = live;
        memory_.peak = at + 1;
      }
      if (purpose.is_older(at)) {
        std::int64_t& older = older_[{change.node, added.category}];
        older = std::min(older - added.bytes, kMostInAll);
      }
      std::int64_t& made = made_[static_cast<std::size_t>(added.category)];
      if (change.taken) made = std::min(made + added.bytes, kMostInAll);
    }
  }

  void hold(NodeId node, Category category, std::int64_t bytes) {
    if (bytes <= 0) return;
    memory_.before.push_back({node, category, bytes});
    before_bytes_ = std::min(before_bytes_ + bytes, kMostInAll);
  }

  void add_older() {
    for (const auto& [key, bytes] : older_) hold(key.first, key.second, bytes);
  }

  // What lives through the step shows in no event. How much it is follows from the step's peak;
  // what it is, from what the run had at its own.
  void add_lasting() {
    std::int64_t room = kMostInAll;
    if (step_.row != nullptr) {
      const std::int64_t all = bounded(step_.row->peak_bytes) - memory_.peak_bytes;
      memory_.exact = all >= before_bytes_;
      if (memory_.exact) room = all - before_bytes_;
    }
    const Category lasting[] = {Category::Parameter, Category::Buffer, Category::Optimizer,
                                Category::Gradient, Category::Input};
    for (const Category category : lasting) {
      for (const model::PeakBlocks& blocks : run_.peak_blocks) {
        if (blocks.category != category) continue;
        const std::int64_t bytes = std::min(room, lasting_bytes(blocks));
        hold(blocks.node, category, bytes);
        room -= std::max<std::int64_t>(0, bytes);
      }
    }
    if (memory_.exact) hold(model::kNone, Category::Other, room);
  }

  // Less what the step makes anew: of that, the events tell.
  std::int64_t lasting_bytes(const model::PeakBlocks& blocks) {
    std::int64_t& made = made_[static_cast<std::size_t>(blocks.category)];
    const std::int64_t anew = std::min(bounded(blocks.bytes), made);
    made -= anew;
    return bounded(blocks.bytes) - anew;
  }

  const model::Run& run_;
  const SampledStep& step_;
  StepMemory memory_;
  std::map<std::pair<NodeId, Category>, std::int64_t> older_;  // given back in the step
  std::int64_t before_bytes_ = 0;
  std::array<std::int64_t, model::kCategories> made_{};  // taken in the step
};

}  // namespace

StepMemory step_memory(const model::Run& run, const SampledStep& step) {
  return StepMemoryBuilder(run, step).make();
}

}  // namespace sightline::exports
