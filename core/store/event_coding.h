// How the events of one batch become the blob in the table `events`, and back.
//
// Each event is coded against the ones before it; numbers are varints (LEB128: 7 bits a byte, low
// bits first, the top bit says that more follow). An event is:
//
//   head    1 byte: bits 0-1 type, bits 2-4 kind, bit 5 same node, bit 6 op as expected,
//           bit 7 depth as expected
//   start   varint: start_ns less that of the event before it (modulo 2^64, so any order works and
//           sorted events are short)
//   value   varint
//   node    only if bit 5 is clear. zigzag varint: node less that of the event before it
//   op      only if bit 6 is clear. varint
//   depth   only if bit 7 is clear. zigzag varint: depth less the expected one
//
// Expected op and depth: for operators those of the operator before it in the batch, for memory
// events 0 and 0. Before the first event all fields are 0. Zigzag is 0, -1, 1, -2, ... -> 0, 1, 2,
// 3, ...
//
// Worked example, two events: an operator (kind forward, depth 0, op 3, node 5, start 1000,
// duration 300), then an allocation inside it (kind forward, depth 0, op 0, node 5, start 1010, 64
// bytes):
//
//   80       head: operator (0), forward (0), node and op follow, depth 0 as expected
//   e8 07    start: 1000 - 0      ac 02    value: 300
//   0a       node: zigzag(5 - 0)  03       op: 3
//   e1       head: allocate (1), forward (0), node, op and depth as expected
//   0a       start: 1010 - 1000   40       value: 64
//
// Ten bytes for two events; operators of real steps take 7 to 8, memory events 4 to 6.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/model/event.h"

namespace sightline::store {

std::vector<std::uint8_t> encode_events(std::span<const model::Event> events);

// Exactly `count` events that use up all of `blob`, else Corrupt. Never reads outside of `blob` nor
// allocates more than a small multiple of its size; op and node may be any number.
Result<std::vector<model::Event>> decode_events(std::span<const std::uint8_t> blob,
                                                std::uint64_t count);

}  // namespace sightline::store
