#include "core/profile/batch/throughput.h"

#include <algorithm>

namespace sightline::profile {
namespace {

std::uint64_t bytes_beside_the_allocator(const std::vector<model::BatchSample>& samples) {
  std::uint64_t most = 0;
  for (const model::BatchSample& sample : samples) {
    if (sample.resident_bytes > sample.peak_bytes) {
      most = std::max(most, sample.resident_bytes - sample.peak_bytes);
    }
  }
  return most;
}

}  // namespace

Throughput throughput_of(const model::Run& run) {
  Throughput throughput;
  throughput.samples = run.batch_samples;
  throughput.failures = run.batch_failures;
  throughput.models = BatchModels::fit(throughput.samples);
  if (!throughput.models) return throughput;
  for (const model::BatchSample& sample : throughput.samples) {
    if (sample.held_out) throughput.held_out = throughput.models->error_at(sample);
  }
  const std::uint64_t beside = bytes_beside_the_allocator(throughput.samples);
  if (run.memory.capacity_bytes > beside) {
    const std::optional<std::uint64_t> largest =
        throughput.models->batch_size_for_memory(run.memory.capacity_bytes - beside);
    if (largest && *largest > 0) throughput.max_batch_size = largest;
  }
  return throughput;
}

}  // namespace sightline::profile
