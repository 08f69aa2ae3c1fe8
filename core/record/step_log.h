// The steps of a run: rows for a bounded number of them, sums over all that count, and what
// observing costs. Belongs to the training thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/export.h"
#include "core/model/step.h"

namespace sightline::record {

class SIGHTLINE_API StepLog {
 public:
  static constexpr std::uint64_t kWarmupSteps = 3;
  static constexpr std::uint64_t kUnobservedEvery = 16;  // the last of so many is unobserved
  static constexpr std::uint64_t kMaxRows = 4096;

  static model::StepRole role_of(std::uint64_t index);
  // Steps whose single events are kept.
  static bool is_sampled(std::uint64_t index);

  // Takes the next step; its index is that of the running one. True if the sums begin anew with
  // it: warm-up steps count only as long as there are no others.
  bool starts_counting(model::StepRole role) const;
  void add(model::Step step);
  void add_evaluation(std::uint64_t ns) { totals_.evaluation_ns += ns; }
  // What was seen; no longer counts once somebody who knows has told it.
  void set_batch_size(std::uint64_t size) {
    if (!batch_size_is_told_) totals_.batch_size = size;
  }
  void tell_batch_size(std::uint64_t size) {
    totals_.batch_size = size;
    batch_size_is_told_ = true;
  }

  std::uint64_t running_index() const { return totals_.steps; }
  const model::Totals& totals() const { return totals_; }
  // What they were if this step, of a recording that has none so far, were all of it.
  model::Totals totals_of_whole(const model::Step& step) const;
  // Nothing marked a step: the only one is all of the recording.
  void set_whole_recording() { totals_.whole_recording = true; }
  std::vector<model::Step> take_rows();
  // At the end of a run with nothing but warm-up steps: they are what there is.
  void count_warmup_rows();

 private:
  void note_overhead(const model::Step& step);
  double median_overhead_percent() const;

  model::Totals totals_;
  bool batch_size_is_told_ = false;
  bool counts_warmup_ = true;
  std::vector<model::Step> rows_;
  std::vector<model::Step> warmup_rows_;
  model::Step last_;             // for pairs: the one before
  model::Step last_unobserved_;  // waiting for the step after it
  std::uint64_t before_unobserved_ns_ = 0;
  std::vector<float> overhead_ratios_;  // of the newest pairs
  std::size_t next_ratio_ = 0;
};

}  // namespace sightline::record
