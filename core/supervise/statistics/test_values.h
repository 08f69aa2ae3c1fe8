// Values that are hard on statistics, and the plain sums in extended precision to compare with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace sightline::supervise {

struct PlainStatistics {
  std::uint64_t count = 0, non_finite = 0, zeros = 0;
  long double mean = NAN, variance = NAN, l1 = 0, l2 = 0, min = NAN, max = NAN, absmax = NAN;
};

template <typename Number>
std::vector<long double> finite_of(const std::vector<Number>& values) {
  std::vector<long double> finite;
  for (const Number value : values) {
    if (std::isfinite(static_cast<long double>(value))) finite.push_back(value);
  }
  return finite;
}

template <typename Number>
PlainStatistics plain_statistics(const std::vector<Number>& values) {
  const std::vector<long double> finite = finite_of(values);
  PlainStatistics plain;
  plain.count = values.size();
  plain.non_finite = values.size() - finite.size();
  if (finite.empty()) return plain;
  long double sum = 0, squares = 0, deviations = 0;
  for (const long double value : finite) {
    sum += value;
    squares += value * value;
    plain.l1 += std::fabs(value);
    if (value == 0) ++plain.zeros;
  }
  plain.mean = sum / static_cast<long double>(finite.size());
  for (const long double value : finite) {
    deviations += (value - plain.mean) * (value - plain.mean);
  }
  if (finite.size() > 1) plain.variance = deviations / static_cast<long double>(finite.size() - 1);
  plain.l2 = std::sqrt(squares);
  plain.min = *std::min_element(finite.begin(), finite.end());
  plain.max = *std::max_element(finite.begin(), finite.end());
  plain.absmax = std::max(std::fabs(plain.min), std::fabs(plain.max));
  return plain;
}

enum class Flavour {
  Normal,
  Shifted,       // far from zero, close to each other
  WithSpecials,  // zeros of both signs, NaN, infinities, the smallest and the largest numbers
  OnlyZeros,
  OnlyNan,
  Tiny,  // below the smallest normal number
};
inline constexpr Flavour kFlavours[] = {Flavour::Normal,    Flavour::Shifted, Flavour::WithSpecials,
                                        Flavour::OnlyZeros, Flavour::OnlyNan, Flavour::Tiny};

inline float special_value(std::uint64_t random) {
  using Limits = std::numeric_limits<float>;
  const float specials[] = {0.0F,
                            -0.0F,
                            Limits::quiet_NaN(),
                            Limits::infinity(),
                            -Limits::infinity(),
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::max(),
                            Limits::lowest(),
                            1.0F};
  return specials[random % std::size(specials)];
}

inline std::vector<float> values_of(Flavour flavour, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) {
    const float drawn = normal(random);
    switch (flavour) {
      case Flavour::Normal:
        value = drawn;
        break;
      case Flavour::Shifted:
        value = 1e6F + drawn;
        break;
      case Flavour::WithSpecials:
        value = random() % 3 == 0 ? special_value(random()) : drawn;
        break;
      case Flavour::OnlyZeros:
        value = drawn > 0 ? 0.0F : -0.0F;
        break;
      case Flavour::OnlyNan:
        value = std::numeric_limits<float>::quiet_NaN();
        break;
      case Flavour::Tiny:
        value = drawn * 1e-40F;
        break;
    }
  }
  return values;
}

}  // namespace sightline::supervise
