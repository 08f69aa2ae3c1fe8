#include "core/supervise/statistics/statistics.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/supervise/statistics/sketch.h"
#include "core/supervise/statistics/test_values.h"

namespace sightline::supervise {
namespace {

constexpr long double kRelative = 1e-11L;

void expect_near(double ours, long double truth, long double scale, const char* what) {
  if (std::isnan(truth)) {
    EXPECT_TRUE(std::isnan(ours)) << what << " is " << ours;
    return;
  }
  EXPECT_LE(std::fabs(static_cast<long double>(ours) - truth), kRelative * scale)
      << what << ": " << ours << " where " << static_cast<double>(truth) << " is true";
}

void expect_agreement(const Statistics& ours, const PlainStatistics& truth) {
  EXPECT_EQ(ours.count, truth.count);
  EXPECT_EQ(ours.non_finite, truth.non_finite);
  EXPECT_EQ(ours.zeros, truth.zeros);
  const auto finite = static_cast<long double>(std::max<std::uint64_t>(1, ours.finite()));
  expect_near(ours.mean, truth.mean, truth.l1 / finite, "mean");
  expect_near(ours.variance(), truth.variance, truth.variance, "variance");
  expect_near(ours.l1, truth.l1, truth.l1, "l1");
  expect_near(ours.l2(), truth.l2, truth.l2, "l2");
  expect_near(ours.min, truth.min, 0, "min");
  expect_near(ours.max, truth.max, 0, "max");
  expect_near(ours.absmax(), truth.absmax, 0, "absmax");
}

constexpr std::size_t kSizes[] = {0,  1,  2,  3,  7,  8,   9,    15,   16,   17,   31,
                                  32, 33, 63, 64, 65, 100, 4095, 4096, 4097, 10001};

class Kernels : public testing::TestWithParam<Instructions> {
 protected:
  void SetUp() override {
    if (!can_run(GetParam())) GTEST_SKIP() << "this processor lacks the instructions";
  }
};

std::string name_of_parameter(const testing::TestParamInfo<Instructions>& info) {
  constexpr const char* kNames[] = {"Scalar", "Avx2", "Avx512"};
  return kNames[static_cast<std::size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Statistics, Kernels,
                         testing::Values(Instructions::Scalar, Instructions::Avx2,
                                         Instructions::Avx512),
                         name_of_parameter);

TEST_P(Kernels, AgreeWithPlainSumsOfSinglePrecision) {
  for (const Flavour flavour : kFlavours) {
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(testing::Message() << "flavour " << static_cast<int>(flavour) << ", " << size);
      const std::vector<float> values = values_of(flavour, size, size + 1);
      expect_agreement(statistics_of(view_of(values), GetParam()), plain_statistics(values));
    }
  }
}

TEST(Statistics, ANormAloneAgreesWithPlainSums) {
  for (const Flavour flavour : kFlavours) {
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(testing::Message() << "flavour " << static_cast<int>(flavour) << ", " << size);
      std::vector<float> values = values_of(flavour, size, size + 1);
      for (const float factor : {1e-25F, 1e25F, 1e25F}) {
        for (float& value : values) value *= factor;
        const PlainStatistics truth = plain_statistics(values);
        const Statistics ours = norm_statistics_of(view_of(values));
        EXPECT_EQ(ours.count, truth.count);
        EXPECT_EQ(ours.non_finite, truth.non_finite);
        expect_near(ours.l2(), truth.l2, truth.l2, "l2");
        expect_near(norm_statistics_of(values).l2(), truth.l2, truth.l2, "l2 of floats");
      }
    }
  }
}

TEST(Statistics, ANormAloneLosesNoTypeAndNoStranger) {
  std::vector<double> doubles = {3e-140, -4e-140, 0};
  EXPECT_DOUBLE_EQ(norm_statistics_of(view_of(doubles)).l2(), 5e-140);
  doubles[2] = INFINITY;
  EXPECT_EQ(norm_statistics_of(view_of(doubles)).non_finite, 1U);
  EXPECT_DOUBLE_EQ(norm_statistics_of(view_of(doubles)).l2(), 5e-140);
  const std::uint16_t halves[] = {0x0001, 0x7c00, 0xfbff};  // the smallest, infinity, -65504
  const Statistics of_halves = norm_statistics_of({halves, ElementType::Float16, {3}, {1}});
  EXPECT_EQ(of_halves.non_finite, 1U);
  EXPECT_DOUBLE_EQ(of_halves.l2(), std::hypot(65504.0, 0x1p-24));
  const std::int64_t integers[] = {3, 100, -4, 100};
  EXPECT_EQ(norm_statistics_of({integers, ElementType::Int64, {2}, {2}}).l2(), 5.0);
}

TEST_P(Kernels, SquaresAgreeWithPlainSumsHoweverSmallOrLarge) {
  const BlockKernels& kernels = block_kernels(GetParam());
  for (const std::size_t size : kSizes) {
    for (const float factor : {1.0F, 1e-43F, 1e-25F, 1e30F}) {
      std::vector<float> values = values_of(Flavour::Normal, size, size + 1);
      for (float& value : values) value *= factor;
      const std::vector<double> doubles(values.begin(), values.end());
      long double sum = 0;
      for (const float value : values) sum += static_cast<long double>(value) * value;
      const auto truth = static_cast<double>(sum);
      EXPECT_NEAR(kernels.square_floats(values.data(), size), truth, 1e-14 * truth);
      EXPECT_NEAR(kernels.square_doubles(doubles.data(), size), truth, 1e-14 * truth);
    }
  }
}

TEST_P(Kernels, AgreeWithPlainSumsOfDoublePrecision) {
  for (const Flavour flavour : kFlavours) {
    for (const std::size_t size : kSizes) {
      SCOPED_TRACE(testing::Message() << "flavour " << static_cast<int>(flavour) << ", " << size);
      const std::vector<float> drawn = values_of(flavour, size, size + 2);
      std::vector<double> values(drawn.begin(), drawn.end());
      for (double& value : values) value *= 1.0 + 1e-12;  // what single precision would not hold
      expect_agreement(statistics_of(view_of(values), GetParam()), plain_statistics(values));
    }
  }
}

// All 65,536 bit patterns, read by the definition of the formats.
double by_definition(std::uint16_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
}

void expect_sixteen_bits(Instructions instructions, ElementType type, int exponent_bits,
                         int fraction_bits) {
  std::vector<std::uint16_t> bits(65536);
  std::vector<double> values(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = static_cast<std::uint16_t>(i);
    values[i] = by_definition(bits[i], exponent_bits, fraction_bits);
  }
  for (const std::size_t size : {std::size_t{5}, std::size_t{4099}, bits.size()}) {
    const std::vector<double> first(values.begin(), values.begin() + static_cast<long>(size));
    const TensorView view{bits.data(), type, {static_cast<std::int64_t>(size)}, {1}};
    expect_agreement(statistics_of(view, instructions), plain_statistics(first));
  }
  for (std::size_t i = 0; i < bits.size(); i += 7) {  // each alone
    const TensorView view{&bits[i], type, {1}, {1}};
    expect_agreement(statistics_of(view, instructions),
                     plain_statistics(std::vector<double>{values[i]}));
  }
}

TEST_P(Kernels, ReadHalfPrecisionByItsDefinition) {
  expect_sixteen_bits(GetParam(), ElementType::Float16, 5, 10);
}

TEST_P(Kernels, ReadBrainFloatsByTheirDefinition) {
  expect_sixteen_bits(GetParam(), ElementType::BFloat16, 8, 7);
}

template <typename Integer>
void expect_integers(ElementType type) {
  std::mt19937_64 random(5);
  for (const std::size_t size : kSizes) {
    std::vector<Integer> values(size);
    for (Integer& value : values) value = static_cast<Integer>(random() >> (random() % 40));
    if (size > 2) {
      values[0] = std::numeric_limits<Integer>::min();
      values[1] = std::numeric_limits<Integer>::max();
      values[2] = 0;
    }
    const TensorView view{values.data(), type, {static_cast<std::int64_t>(size)}, {1}};
    const Statistics ours = statistics_of(view);
    PlainStatistics truth = plain_statistics(values);
    // Rounded to what a double holds.
    truth.min = static_cast<double>(truth.min);
    truth.max = static_cast<double>(truth.max);
    truth.absmax = static_cast<double>(truth.absmax);
    expect_agreement(ours, truth);
  }
}

TEST(Statistics, AgreeWithPlainSumsOfIntegers) {
  expect_integers<std::int8_t>(ElementType::Int8);
  expect_integers<std::int16_t>(ElementType::Int16);
  expect_integers<std::int32_t>(ElementType::Int32);
  expect_integers<std::int64_t>(ElementType::Int64);
  expect_integers<std::uint8_t>(ElementType::UInt8);
}

TEST(Statistics, OfTruthValuesAreOfZerosAndOnes) {
  const std::uint8_t values[] = {1, 0, 1, 1};
  const Statistics ours = statistics_of({values, ElementType::Bool, {4}, {1}});
  EXPECT_EQ(ours.zeros, 1U);
  EXPECT_EQ(ours.mean, 0.75);
}

TEST(Statistics, AVarianceFarFromZeroKeepsItsDigits) {
  // 0, 1, 2, ... 9 in turn, above 2^23, where single precision has no more fractions. Variance of
  // ten such digits: 8.25 times n / (n - 1).
  std::vector<float> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 8388608.0F + static_cast<float>(i % 10);
  EXPECT_NEAR(statistics_of(view_of(values)).variance(), 8.25 * 100000 / 99999, 1e-10);
}

TEST(Statistics, OneStrangerAmongManyHidesNothing) {
  std::vector<float> values(10000, 1.0F);
  values[0] = 1e20F;
  expect_agreement(statistics_of(view_of(values)), plain_statistics(values));
  values[0] = NAN;
  const Statistics ours = statistics_of(view_of(values));
  EXPECT_EQ(ours.non_finite, 1U);
  EXPECT_EQ(ours.mean, 1.0);
  EXPECT_EQ(ours.variance(), 0.0);
}

TEST(Statistics, OfNothingAreNoNumbers) {
  const Statistics ours = statistics_of({nullptr, ElementType::Float32, {3, 0, 5}, {0, 5, 1}});
  EXPECT_EQ(ours.count, 0U);
  EXPECT_EQ(ours.l2(), 0.0);
  EXPECT_TRUE(std::isnan(ours.mean));
  EXPECT_TRUE(std::isnan(ours.variance()));
  EXPECT_TRUE(std::isnan(ours.absmax()));
}

TEST(Statistics, OfAScalarAreThoseOfOneValue) {
  const double value = -3;
  const Statistics ours = statistics_of({&value, ElementType::Float64, {}, {}});
  EXPECT_EQ(ours.count, 1U);
  EXPECT_EQ(ours.absmax(), 3.0);
}

TEST(Statistics, MergedAreThoseOfAll) {
  for (const Flavour flavour : kFlavours) {
    const std::vector<float> values = values_of(flavour, 9001, 4);
    for (const std::size_t cut : {0U, 1U, 4500U, 9001U}) {
      Statistics merged = statistics_of(view_of(std::span(values).first(cut)));
      merged.merge(statistics_of(view_of(std::span(values).subspan(cut))));
      expect_agreement(merged, plain_statistics(values));
    }
  }
}

// The elements of a tensor, found by index.
std::vector<float> elements_of(const float* data, const std::vector<std::int64_t>& sizes,
                               const std::vector<std::int64_t>& strides) {
  std::vector<float> elements;
  std::vector<std::int64_t> index(sizes.size());
  for (;;) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) offset += index[i] * strides[i];
    elements.push_back(data[offset]);
    std::size_t dimension = sizes.size();
    while (dimension > 0 && ++index[dimension - 1] == sizes[dimension - 1]) index[--dimension] = 0;
    if (dimension == 0) return elements;
  }
}

TEST(Statistics, FollowStrides) {
  const std::vector<float> memory = values_of(Flavour::WithSpecials, 40000, 9);
  struct Layout {
    std::vector<std::int64_t> sizes, strides;
    std::int64_t offset;
  };
  const Layout layouts[] = {
      {{20, 30}, {30, 1}, 0},               // contiguous
      {{30, 20}, {1, 30}, 3},               // transposed
      {{20, 15}, {30, 2}, 0},               // every second column
      {{100, 1, 7}, {13, 99, 1}, 1},        // a window; a dimension of one
      {{50, 60}, {0, 1}, 0},                // expanded
      {{4, 5, 6, 7}, {500, 90, 13, 1}, 2},  // gaps everywhere
      {{9000}, {3}, 0},                     // longer than a block
      {{20, 30}, {-30, -1}, 599},           // backwards
      {{3, 5000}, {-5001, 2}, 10002},       // one of them backwards
      {{1, 1}, {77, 99}, 5},                // one element
      {{5000, 2}, {1, 7000}, 0},            // two far runs
  };
  for (const Layout& layout : layouts) {
    SCOPED_TRACE(&layout - layouts);
    const float* data = memory.data() + layout.offset;
    const TensorView view{data, ElementType::Float32, layout.sizes, layout.strides};
    const auto elements = elements_of(data, layout.sizes, layout.strides);
    ASSERT_EQ(elements.size(), view.count());
    expect_agreement(statistics_of(view), plain_statistics(elements));
  }
}

TEST(Statistics, FollowStridesOfEveryElementSize) {
  for (const ElementType type : {ElementType::Int8, ElementType::Int16, ElementType::Int64}) {
    std::vector<std::uint8_t> memory(8 * 3000);
    std::vector<long double> truth;
    for (std::size_t i = 0; i < 3000; ++i) {
      const std::int64_t value = static_cast<std::int64_t>(i % 100) - 50;
      std::memcpy(&memory[i * bytes_of(type)], &value, bytes_of(type));
      if (i % 3 == 0) truth.push_back(static_cast<long double>(value));
    }
    expect_agreement(statistics_of({memory.data(), type, {1000}, {3}}), plain_statistics(truth));
  }
}

TEST(Statistics, ReadMemoryAtOddAddresses) {
  const std::vector<float> values = values_of(Flavour::Normal, 999, 3);
  std::vector<std::uint8_t> memory(4000);
  std::memcpy(&memory[1], values.data(), 999 * sizeof(float));
  expect_agreement(statistics_of({&memory[1], ElementType::Float32, {999}, {1}}),
                   plain_statistics(values));
}

TEST_P(Kernels, FillASketchOnTheWay) {
  for (const Flavour flavour : {Flavour::WithSpecials, Flavour::OnlyNan}) {
    for (const std::size_t size : {std::size_t{1000}, std::size_t{600001}}) {
      const std::vector<float> values = values_of(flavour, size, 8);
      Sketch filled, added;
      const Statistics ours = statistics_of(view_of(values), filled, GetParam());
      expect_agreement(ours, plain_statistics(values));
      added.add(values);
      EXPECT_TRUE(filled == added);
    }
  }
}

}  // namespace
}  // namespace sightline::supervise
