// Throughput as the report's JSON has it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/profile/batch/throughput.h"

namespace sightline::profile {

// `batch_size` is that of the recording: intervals are given there. Every key is in it, null where
// nothing was measured.
nlohmann::ordered_json throughput_json(const Throughput& throughput, std::uint64_t batch_size);

}  // namespace sightline::profile
