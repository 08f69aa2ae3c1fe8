// What the samples of several batch sizes say of all others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"
#include "core/profile/batch/batch_models.h"

namespace sightline::profile {

struct Throughput {
  std::vector<model::BatchSample> samples;    // by batch size; empty: none were measured
  std::vector<model::BatchFailure> failures;  // by batch size
  std::optional<BatchModels> models;          // nothing if there are too few samples
  std::optional<BatchModels::HeldOut> held_out;
  // The largest batch that fits into the machine, with what the process needs beside the
  // framework's allocator; nothing if none does, or if memory does not grow with the batch.
  std::optional<std::uint64_t> max_batch_size;
};

SIGHTLINE_API Throughput throughput_of(const model::Run& run);

}  // namespace sightline::profile
