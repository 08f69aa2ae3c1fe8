#if defined(__x86_64__)
#include <immintrin.h>

#include "core/supervise/statistics/block_loop.h"

namespace sightline::supervise {
namespace {

struct Avx512Wide {
  using Wide = __m512d;
  static Wide all_wide(double value) { return _mm512_set1_pd(value); }
  static Wide subtract(Wide a, Wide b) { return _mm512_sub_pd(a, b); }
  static Wide add(Wide a, Wide b) { return _mm512_add_pd(a, b); }
  static Wide add_square(Wide sum, Wide value) { return _mm512_fmadd_pd(value, value, sum); }
  static Wide magnitude(Wide values) { return _mm512_abs_pd(values); }
  static double sum(Wide values) { return _mm512_reduce_add_pd(values); }
  static std::uint64_t count_bits(unsigned mask) {
    return static_cast<std::uint64_t>(__builtin_popcount(mask));
  }
  static constexpr int kNanOrInfinite =
      0x99;  // bits of vfpclass: both kinds of NaN, both infinities
};

struct Avx512Floats : Avx512Wide {
  using Element = float;
  using Vector = __m512;
  static constexpr std::size_t kWidth = 16;
  static constexpr std::size_t kParts = 2;

  static Vector load(const float* values) { return _mm512_loadu_ps(values); }
  static Vector all(float value) { return _mm512_set1_ps(value); }
  static bool all_finite(Vector values) {
    return _mm512_fpclass_ps_mask(values, kNanOrInfinite) == 0;
  }
  static std::uint64_t count_zeros(Vector values) {
    return count_bits(_mm512_cmp_ps_mask(values, _mm512_setzero_ps(), _CMP_EQ_OQ));
  }
  static Vector min(Vector a, Vector b) { return _mm512_min_ps(a, b); }
  static Vector max(Vector a, Vector b) { return _mm512_max_ps(a, b); }
  static Wide widen(const float* values) { return _mm512_cvtps_pd(_mm256_loadu_ps(values)); }
  static double smallest(Vector values) { return _mm512_reduce_min_ps(values); }
  static double largest(Vector values) { return _mm512_reduce_max_ps(values); }
};

struct Avx512Doubles : Avx512Wide {
  using Element = double;
  using Vector = __m512d;
  static constexpr std::size_t kWidth = 8;
  static constexpr std::size_t kParts = 1;

  static Vector load(const double* values) { return _mm512_loadu_pd(values); }
  static Vector all(double value) { return _mm512_set1_pd(value); }
  static bool all_finite(Vector values) {
    return _mm512_fpclass_pd_mask(values, kNanOrInfinite) == 0;
  }
  static std::uint64_t count_zeros(Vector values) {
    return count_bits(_mm512_cmp_pd_mask(values, _mm512_setzero_pd(), _CMP_EQ_OQ));
  }
  static Vector min(Vector a, Vector b) { return _mm512_min_pd(a, b); }
  static Vector max(Vector a, Vector b) { return _mm512_max_pd(a, b); }
  static Wide widen(const double* values) { return load(values); }
  static double smallest(Vector values) { return _mm512_reduce_min_pd(values); }
  static double largest(Vector values) { return _mm512_reduce_max_pd(values); }
};

void widen_halves_by_sixteen(const std::uint16_t* halves, std::size_t count, float* values) {
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m256i sixteen = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves + i));
    _mm512_storeu_ps(values + i, _mm512_cvtph_ps(sixteen));
  }
  if (i == count) return;
  std::uint16_t last[16] = {};
  for (std::size_t lane = 0; i + lane < count; ++lane) last[lane] = halves[i + lane];
  const auto rest = static_cast<__mmask16>((1U << (count - i)) - 1U);
  const __m256i sixteen = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(last));
  _mm512_mask_storeu_ps(values + i, rest, _mm512_cvtph_ps(sixteen));
}

}  // namespace

const BlockKernels kAvx512Kernels = {
    BlockLoop<Avx512Floats>::sum,           BlockLoop<Avx512Doubles>::sum,
    BlockLoop<Avx512Floats>::sum_and_count, BlockLoop<Avx512Floats>::squares,
    BlockLoop<Avx512Doubles>::squares,      widen_halves_by_sixteen};

}  // namespace sightline::supervise
#endif
