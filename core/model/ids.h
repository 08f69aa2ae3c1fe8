// Small integers that stand for the things of a run. They index the tables of that run and
// mean nothing outside it. Zero is always the "nothing" or "root" entry.
#pragma once

#include <cstdint>

namespace sightline::model {

using FileId = std::uint32_t;
using FrameId = std::uint32_t;
using NodeId = std::uint32_t;
using ModuleId = std::uint32_t;
using OperatorId = std::uint32_t;
using ThreadId = std::uint32_t;
using SeriesId = std::uint32_t;  // counts from 1

inline constexpr std::uint32_t kNone = 0;

}  // namespace sightline::model
