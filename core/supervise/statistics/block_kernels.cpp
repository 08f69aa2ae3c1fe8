#include "core/supervise/statistics/block_kernels.h"

namespace sightline::supervise {

#if defined(__x86_64__)

bool can_run(Instructions instructions) {
  switch (instructions) {
    case Instructions::Scalar:
      return true;
    case Instructions::Avx2:  // who has it has F16C too, which not every compiler can ask for
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case Instructions::Avx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  }
  return false;
}

const BlockKernels& block_kernels(Instructions instructions) {
  switch (instructions) {
    case Instructions::Avx2:
      return kAvx2Kernels;
    case Instructions::Avx512:
      return kAvx512Kernels;
    case Instructions::Scalar:
      break;
  }
  return kScalarKernels;
}

#else

bool can_run(Instructions instructions) { return instructions == Instructions::Scalar; }
const BlockKernels& block_kernels(Instructions /*instructions*/) { return kScalarKernels; }

#endif

Instructions best_instructions() {
  static const Instructions kBest = can_run(Instructions::Avx512) ? Instructions::Avx512
                                    : can_run(Instructions::Avx2) ? Instructions::Avx2
                                                                  : Instructions::Scalar;
  return kBest;
}

}  // namespace sightline::supervise
