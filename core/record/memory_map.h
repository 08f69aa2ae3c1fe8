// Every live block of the framework's allocator: how many bytes, who asked for them, what for.
// Any thread may allocate, free and label; a spin lock of a few dozen instructions orders them, so
// that the peak is exact. It never allocates in the steady state.
//
// The blocks alive at the peak are known without a copy being made at every new peak: a block that
// is freed later than the peak, and was born before it, is kept in a list that a higher peak
// empties.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/base/export.h"
#include "core/base/spin_lock.h"
#include "core/model/run.h"
#include "core/record/budget.h"

namespace sightline::record {

// What was going on when a block was made.
enum class Birth : std::uint8_t {
  Unknown,  // before the recording, or in a step without observers
  Setup,    // before the first step's model call
  Outside,  // in a step, before the model was called
  Forward,
  Recompute,
  Backward,
  Optimizer,
  Data,
};

// What to give of a new peak while its step still runs, so that it is not known what its blocks are
// for.
enum class RunningPeak : std::uint8_t {
  Hold,    // the peak before it
  Show,    // it, judged as if the step were over now; it is given again later
  Settle,  // it, for good: nothing more comes
};

class SIGHTLINE_API MemoryMap {
 public:
  explicit MemoryMap(Budget& budget);
  ~MemoryMap();
  MemoryMap(const MemoryMap&) = delete;
  MemoryMap& operator=(const MemoryMap&) = delete;

  void allocated(const void* address, std::uint64_t bytes, model::NodeId node, Birth birth);
  // A block older than the recording, seen for the first time.
  void adopted(const void* address, std::uint64_t bytes, model::Category category);
  struct Freed {
    bool known = false;
    std::uint64_t bytes = 0;
    model::NodeId node = model::kNone;
  };
  Freed freed(const void* address);

  bool knows(const void* address) const;
  // What a block is, told by someone who knows.
  void label(const void* address, model::Category category);
  // For what a module is given: an input, unless the forward pass itself made it.
  void label_input(const void* address);

  void backward_started();
  void optimizer_ended();
  // `observed` tells of the step that begins: in one without observers nobody knows what a block is
  // for, unless it gets a label.
  void step_ended(bool observed);

  std::uint64_t total_bytes() const { return total_bytes_.load(std::memory_order_relaxed); }
  // To be told at every start and end of an operator that is not inside of another's kernel.
  void at_boundary() {
    const std::uint64_t total = total_bytes();
    if (total > boundary_peak_bytes_.load(std::memory_order_relaxed)) {
      boundary_peak_bytes_.store(total, std::memory_order_relaxed);
    }
  }
  // The highest since the last call of step_ended().
  std::uint64_t step_peak_bytes() const;
  // Whether the running step made a new peak, so that its blocks want labels.
  bool peaked_this_step() const;

  // Fills memory, and the blocks alive at the peak if it is a new one.
  void take(model::Delta& delta, RunningPeak running);
  std::uint64_t dropped() const;

 private:
  struct Block {
    const void* address = nullptr;  // null: the slot is free
    std::uint64_t bytes = 0;
    std::uint64_t born = 0;  // event number
    model::NodeId node = model::kNone;
    Birth birth = Birth::Unknown;
    bool has_label = false;
    model::Category label = model::Category::Other;
  };
  static_assert(sizeof(Block) == 32);

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::size_t find(const void* address) const;  // the slot, or kNowhere
  [[gnu::cold]] bool grow();
  void insert(const Block& block);
  void erase(std::size_t slot);
  std::size_t home_of(const void* address) const;
  model::Category category_of(const Block& block, std::uint64_t step_event) const;
  [[gnu::cold]] void keep_for_peak(const Block& block);
  void give_blocks(model::Delta& delta) const;
  void add_bytes(std::uint64_t bytes);

  Budget& budget_;
  mutable SpinLock lock_;      // guards all below but the atomics
  std::vector<Block> blocks_;  // open addressing, power of two
  std::size_t count_ = 0;
  std::size_t reserved_bytes_ = 0;
  std::vector<Block> freed_since_peak_;
  std::vector<model::Category> freed_category_;
  std::atomic<std::uint64_t> total_bytes_{0};
  std::atomic<std::uint64_t> boundary_peak_bytes_{0};
  std::uint64_t events_ = 0;
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t peak_event_ = 0;
  std::uint32_t peak_step_ = 0;
  bool peak_is_new_ = false;
  bool peak_is_observed_ = false;
  model::Memory settled_;  // of the last peak whose blocks were given out
  std::uint64_t step_peak_bytes_ = 0;
  std::uint32_t step_ = 0;
  std::uint64_t step_event_ = 0;       // the last event before the running step
  std::uint64_t backward_event_ = 0;   // the last before the newest backward pass began
  std::uint64_t optimizer_event_ = 0;  // the last before the newest optimizer step ended
  bool observed_ = true;
  std::uint64_t dropped_ = 0;
};

}  // namespace sightline::record
