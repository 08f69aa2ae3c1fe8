// What calls cost, in whole numbers. The conventions, which all formulas keep:
//   macs         multiply-accumulates of convolutions and matrix products, and of nothing else.
//   masked_macs  the part of them whose results a causal mask throws away.
//   flops        all arithmetic: a multiply-accumulate is two; an addition, a comparison or a
//                function of one element (exp, tanh) is one. Complex numbers count like real ones.
//   bytes        each input read once and each output written once, as if all else stayed in a
//                cache; of a table that is looked up, only what is read.
// A product counts in full at the borders that padding fills, and what a kernel computes twice
// rather than keep is counted once, so that the kernels for one operator agree.
#pragma once

#include <cstdint>

namespace sightline::measure {

struct Cost {
  std::uint64_t macs = 0;
  std::uint64_t masked_macs = 0;
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;

  Cost& operator+=(const Cost& other) {
    macs += other.macs;
    masked_macs += other.masked_macs;
    flops += other.flops;
    bytes += other.bytes;
    return *this;
  }
  std::uint64_t effective_macs() const { return macs - masked_macs; }
  bool operator==(const Cost&) const = default;
};

}  // namespace sightline::measure
