#if defined(__x86_64__)
#include <immintrin.h>

#include "core/supervise/statistics/block_loop.h"

namespace sightline::supervise {
namespace {

struct Avx2Wide {
  using Wide = __m256d;
  static Wide all_wide(double value) { return _mm256_set1_pd(value); }
  static Wide subtract(Wide a, Wide b) { return _mm256_sub_pd(a, b); }
  static Wide add(Wide a, Wide b) { return _mm256_add_pd(a, b); }
  static Wide add_square(Wide sum, Wide value) { return _mm256_fmadd_pd(value, value, sum); }
  static Wide magnitude(Wide values) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), values); }
  static double sum(Wide values) {
    const __m128d pair =
        _mm_add_pd(_mm256_castpd256_pd128(values), _mm256_extractf128_pd(values, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
  }
  static std::uint64_t count_bits(int mask) {
    return static_cast<std::uint64_t>(__builtin_popcount(static_cast<unsigned>(mask)));
  }
};

struct Avx2Floats : Avx2Wide {
  using Element = float;
  using Vector = __m256;
  static constexpr std::size_t kWidth = 8;
  static constexpr std::size_t kParts = 2;

  static Vector load(const float* values) { return _mm256_loadu_ps(values); }
  static Vector all(float value) { return _mm256_set1_ps(value); }
  static bool all_finite(Vector values) {
    const Vector magnitudes = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), values);
    const Vector infinity = _mm256_set1_ps(__builtin_inff());
    return _mm256_movemask_ps(_mm256_cmp_ps(magnitudes, infinity, _CMP_LT_OQ)) == 0xff;
  }
  static std::uint64_t count_zeros(Vector values) {
    return count_bits(_mm256_movemask_ps(_mm256_cmp_ps(values, _mm256_setzero_ps(), _CMP_EQ_OQ)));
  }
  static Vector min(Vector a, Vector b) { return _mm256_min_ps(a, b); }
  static Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  static Wide widen(const float* values) { return _mm256_cvtps_pd(_mm_loadu_ps(values)); }
  static double smallest(Vector values) {
    const __m128 four =
        _mm_min_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps(values, 1));
    const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
  static double largest(Vector values) {
    const __m128 four =
        _mm_max_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps(values, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
  }
};

struct Avx2Doubles : Avx2Wide {
  using Element = double;
  using Vector = __m256d;
  static constexpr std::size_t kWidth = 4;
  static constexpr std::size_t kParts = 1;

  static Vector load(const double* values) { return _mm256_loadu_pd(values); }
  static Vector all(double value) { return _mm256_set1_pd(value); }
  static bool all_finite(Vector values) {
    const Vector infinity = _mm256_set1_pd(__builtin_inf());
    return _mm256_movemask_pd(_mm256_cmp_pd(magnitude(values), infinity, _CMP_LT_OQ)) == 0xf;
  }
  static std::uint64_t count_zeros(Vector values) {
    return count_bits(_mm256_movemask_pd(_mm256_cmp_pd(values, _mm256_setzero_pd(), _CMP_EQ_OQ)));
  }
  static Vector min(Vector a, Vector b) { return _mm256_min_pd(a, b); }
  static Vector max(Vector a, Vector b) { return _mm256_max_pd(a, b); }
  static Wide widen(const double* values) { return load(values); }
  static double smallest(Vector values) {
    const __m128d two =
        _mm_min_pd(_mm256_castpd256_pd128(values), _mm256_extractf128_pd(values, 1));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
  }
  static double largest(Vector values) {
    const __m128d two =
        _mm_max_pd(_mm256_castpd256_pd128(values), _mm256_extractf128_pd(values, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
  }
};

void widen_halves_by_eight(const std::uint16_t* halves, std::size_t count, float* values) {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + i));
    _mm256_storeu_ps(values + i, _mm256_cvtph_ps(eight));
  }
  for (; i < count; ++i) values[i] = _cvtsh_ss(halves[i]);
}

}  // namespace

const BlockKernels kAvx2Kernels = {
    BlockLoop<Avx2Floats>::sum,           BlockLoop<Avx2Doubles>::sum,
    BlockLoop<Avx2Floats>::sum_and_count, BlockLoop<Avx2Floats>::squares,
    BlockLoop<Avx2Doubles>::squares,      widen_halves_by_eight};

}  // namespace sightline::supervise
#endif
