#include "core/record/memory_map.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace sightline::record {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

MemoryMap::MemoryMap(Budget& budget) : budget_(budget), blocks_(kFirstSlots) {
  freed_since_peak_.reserve(kFirstSlots);
  freed_category_.reserve(kFirstSlots);
}

MemoryMap::~MemoryMap() { budget_.release(reserved_bytes_); }

std::size_t MemoryMap::home_of(const void* address) const {
  // Blocks are aligned to 64 bytes: the low bits say nothing.
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(address) >> 6;
  return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> 24) & (blocks_.size() - 1);
}

std::size_t MemoryMap::find(const void* address) const {
  const std::size_t mask = blocks_.size() - 1;
  for (std::size_t slot = home_of(address);; slot = (slot + 1) & mask) {
    if (blocks_[slot].address == nullptr) return kNowhere;  // first: nobody may ask for null
    if (blocks_[slot].address == address) return slot;
  }
}

bool MemoryMap::grow() {
  const std::size_t added_bytes = blocks_.size() * sizeof(Block);
  if (!budget_.reserve(added_bytes)) return (count_ + 1) * 8 <= blocks_.size() * 7;
  reserved_bytes_ += added_bytes;
  std::vector<Block> old(blocks_.size() * 2);
  old.swap(blocks_);
  for (const Block& block : old) {
    if (block.address != nullptr) insert(block);
  }
  return true;
}

void MemoryMap::insert(const Block& block) {
  const std::size_t mask = blocks_.size() - 1;
  std::size_t slot = home_of(block.address);
  while (blocks_[slot].address != nullptr) slot = (slot + 1) & mask;
  blocks_[slot] = block;
}

// Open addressing without tombstones: what follows is moved up if it may be.
void MemoryMap::erase(std::size_t slot) {
  const std::size_t mask = blocks_.size() - 1;
  std::size_t hole = slot;
  for (std::size_t next = (hole + 1) & mask; blocks_[next].address != nullptr;
       next = (next + 1) & mask) {
    const std::size_t home = home_of(blocks_[next].address);
    if (((next - home) & mask) >= ((next - hole) & mask)) {
      blocks_[hole] = blocks_[next];
      hole = next;
    }
  }
  blocks_[hole].address = nullptr;
}

void MemoryMap::add_bytes(std::uint64_t bytes) {
  const std::uint64_t total = total_bytes_.load(std::memory_order_relaxed) + bytes;
  total_bytes_.store(total, std::memory_order_relaxed);
  step_peak_bytes_ = std::max(step_peak_bytes_, total);
  // Of two equal peaks the observed one counts: its blocks have lines.
  const bool explains_more = observed_ && !peak_is_observed_;
  if (total < peak_bytes_ || (total == peak_bytes_ && !explains_more)) return;
  peak_bytes_ = total;
  peak_event_ = events_;
  peak_step_ = step_;
  peak_is_new_ = true;
  peak_is_observed_ = observed_;
  freed_since_peak_.clear();
  freed_category_.clear();
}

void MemoryMap::allocated(const void* address, std::uint64_t bytes, model::NodeId node,
                          Birth birth) {
  const std::lock_guard lock(lock_);
  const bool is_roomy = (count_ + 1) * 2 <= blocks_.size();
  if (!is_roomy && !grow()) {
    ++dropped_;
    return;
  }
  ++events_;
  ++count_;
  Block block;
  block.address = address;
  block.bytes = bytes;
  block.born = events_;
  block.node = node;
  block.birth = observed_ ? birth : Birth::Unknown;
  insert(block);
  add_bytes(bytes);
}

void MemoryMap::adopted(const void* address, std::uint64_t bytes, model::Category category) {
  allocated(address, bytes, model::kNone, Birth::Unknown);
  label(address, category);
}

MemoryMap::Freed MemoryMap::freed(const void* address) {
  const std::lock_guard lock(lock_);
  const std::size_t slot = find(address);
  if (slot == kNowhere) return {};
  ++events_;
  --count_;
  const Block& block = blocks_[slot];
  const Freed result{true, block.bytes, block.node};
  total_bytes_.store(total_bytes_.load(std::memory_order_relaxed) - block.bytes,
                     std::memory_order_relaxed);
  if (block.born <= peak_event_) keep_for_peak(block);
  erase(slot);
  return result;
}

void MemoryMap::keep_for_peak(const Block& block) {
  freed_since_peak_.push_back(block);
  freed_category_.push_back(category_of(block, step_event_));
}

bool MemoryMap::knows(const void* address) const {
  const std::lock_guard lock(lock_);
  return find(address) != kNowhere;
}

void MemoryMap::label(const void* address, model::Category category) {
  const std::lock_guard lock(lock_);
  const std::size_t slot = find(address);
  if (slot == kNowhere) return;
  blocks_[slot].has_label = true;
  blocks_[slot].label = category;
}

void MemoryMap::label_input(const void* address) {
  const std::lock_guard lock(lock_);
  const std::size_t slot = find(address);
  if (slot == kNowhere || blocks_[slot].has_label) return;
  Block& block = blocks_[slot];
  if (block.birth == Birth::Forward || block.birth == Birth::Backward) return;
  block.has_label = true;
  block.label = model::Category::Input;
}

void MemoryMap::backward_started() {
  const std::lock_guard lock(lock_);
  backward_event_ = events_;
}

void MemoryMap::optimizer_ended() {
  const std::lock_guard lock(lock_);
  optimizer_event_ = events_;
}

void MemoryMap::step_ended(bool observed) {
  const std::lock_guard lock(lock_);
  ++step_;
  step_event_ = events_;
  observed_ = observed;
  step_peak_bytes_ = total_bytes_.load(std::memory_order_relaxed);
}

std::uint64_t MemoryMap::step_peak_bytes() const {
  const std::lock_guard lock(lock_);
  return step_peak_bytes_;
}

bool MemoryMap::peaked_this_step() const {
  const std::lock_guard lock(lock_);
  return peak_is_new_ && peak_step_ == step_;
}

// What a block without a label was for, judged by when it was born and how long it lives: asked
// when it is freed, or when the step of the peak is over and it still lives. `step_event` is the
// last event of a step that is over.
model::Category MemoryMap::category_of(const Block& block, std::uint64_t step_event) const {
  using model::Category;
  if (block.has_label) return block.label;
  switch (block.birth) {
    case Birth::Data:
    case Birth::Outside:
      return Category::Input;
    case Birth::Forward:
      return block.born <= backward_event_ ? Category::Activation : Category::Temporary;
    case Birth::Recompute:
      return Category::Activation;
    case Birth::Backward:
      return block.born <= step_event ? Category::Gradient : Category::Temporary;
    case Birth::Optimizer:
      return block.born <= optimizer_event_ ? Category::Optimizer : Category::Temporary;
    case Birth::Setup:
    case Birth::Unknown:
      return Category::Other;
  }
  return Category::Other;
}

void MemoryMap::take(model::Delta& delta, RunningPeak running) {
  const std::lock_guard lock(lock_);
  const bool is_settled = step_ > peak_step_ || running == RunningPeak::Settle;
  if (peak_is_new_ && (is_settled || running == RunningPeak::Show)) {
    peak_is_new_ = !is_settled;
    settled_.known = true;
    settled_.peak_bytes = peak_bytes_;
    settled_.peak_step = peak_step_;
    give_blocks(delta);
  }
  settled_.boundary_peak_bytes =
      std::min(boundary_peak_bytes_.load(std::memory_order_relaxed), settled_.peak_bytes);
  delta.memory = settled_;
}

void MemoryMap::give_blocks(model::Delta& delta) const {
  std::map<std::pair<model::NodeId, model::Category>, model::PeakBlocks> sums;
  const auto add = [&](const Block& block, model::Category category) {
    model::PeakBlocks& sum = sums[{block.node, category}];
    sum.node = block.node;
    sum.category = category;
    sum.bytes += block.bytes;
    ++sum.count;
  };
  for (const Block& block : blocks_) {
    if (block.address != nullptr && block.born <= peak_event_) {
      add(block, category_of(block, events_));
    }
  }
  for (std::size_t i = 0; i < freed_since_peak_.size(); ++i) {
    add(freed_since_peak_[i], freed_category_[i]);
  }
  delta.has_peak_blocks = true;
  for (const auto& [key, blocks] : sums) delta.peak_blocks.push_back(blocks);
}

std::uint64_t MemoryMap::dropped() const {
  const std::lock_guard lock(lock_);
  return dropped_;
}

}  // namespace sightline::record
