#include "core/supervise/statistics/statistics.h"

#include <algorithm>
#include <optional>
#include <span>

#include "core/supervise/statistics/block_values.h"
#include "core/supervise/statistics/sketch.h"

namespace sightline::supervise {
namespace {

Statistics statistics_of_block(const BlockSums& sums, std::size_t count) {
  Statistics block;
  block.count = count;
  block.non_finite = sums.non_finite;
  block.zeros = sums.zeros;
  if (block.finite() == 0) return block;
  const double distance = sums.deviations / static_cast<double>(block.finite());
  block.mean = sums.shift + distance;
  block.min = sums.min;
  block.max = sums.max;
  block.l1 = sums.l1;
  block.squared_deviations = std::max(0.0, sums.squares - sums.deviations * distance);
  return block;
}

// `filling` may be null.
BlockSums sum_block(const BlockKernels& kernels, const BlockValues& block, Sketch* sketch,
                    SketchFilling* filling) {
  const std::span<const float> floats = block.floats();
  if (floats.empty()) {
    if (sketch != nullptr) sketch->add(block.doubles());
    return kernels.sum_doubles(block.doubles().data(), block.doubles().size());
  }
  if (filling != nullptr) {
    if (std::uint32_t* tables = filling->tables_for(floats.size())) {
      return kernels.sum_and_count_floats(floats.data(), floats.size(), tables);
    }
    sketch->add(floats);
  }
  return kernels.sum_floats(floats.data(), floats.size());
}

Statistics summarise(const TensorView& tensor, Instructions instructions, Sketch* sketch) {
  const BlockKernels& kernels = block_kernels(instructions);
  std::optional<SketchFilling> filling;
  if (sketch != nullptr) filling.emplace(*sketch, tensor.count());
  Statistics all;
  BlockValues block(tensor, kernels);
  while (block.next()) {
    const BlockSums sums = sum_block(kernels, block, sketch, filling ? &*filling : nullptr);
    all.merge(statistics_of_block(sums, std::max(block.floats().size(), block.doubles().size())));
  }
  return all;
}

// Block by block, so that the differences never leave the nearest cache.
template <typename Number, BlockSums (*BlockKernels::*kSum)(const Number*, std::size_t)>
Statistics summarise_difference(const TensorDifference& difference) {
  const auto sum = block_kernels(best_instructions()).*kSum;
  const auto* now = static_cast<const Number*>(difference.now);
  const auto* before = static_cast<const Number*>(difference.before);
  Number block[TensorBlocks::kBlock];
  Statistics all;
  for (std::uint64_t begin = 0; begin < difference.count; begin += TensorBlocks::kBlock) {
    const std::size_t count =
        std::min<std::uint64_t>(difference.count - begin, TensorBlocks::kBlock);
    for (std::size_t i = 0; i < count; ++i) block[i] = now[begin + i] - before[begin + i];
    all.merge(statistics_of_block(sum(block, count), count));
  }
  return all;
}

}  // namespace

// Chan, Golub and LeVeque's update of the squared deviations.
void Statistics::merge(const Statistics& other) {
  const auto ours = static_cast<double>(finite());
  const auto theirs = static_cast<double>(other.finite());
  count += other.count;
  non_finite += other.non_finite;
  zeros += other.zeros;
  l1 += other.l1;
  if (theirs == 0) return;
  if (ours == 0) {
    mean = other.mean;
    min = other.min;
    max = other.max;
    squared_deviations = other.squared_deviations;
    return;
  }
  const double distance = other.mean - mean;
  const double share = theirs / (ours + theirs);
  mean += distance * share;
  squared_deviations += other.squared_deviations + distance * distance * ours * share;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

Statistics Statistics::of_whole(std::uint64_t whole_count) const {
  if (count == 0 || whole_count <= count) return *this;
  const double times = static_cast<double>(whole_count) / static_cast<double>(count);
  const auto grown = [&](std::uint64_t part) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(part) * times));
  };
  Statistics whole = *this;
  whole.count = whole_count;
  whole.non_finite = non_finite == count ? whole_count : grown(non_finite);
  whole.zeros = zeros == count ? whole_count : grown(zeros);
  whole.l1 *= times;
  whole.squared_deviations *= times;
  return whole;
}

Statistics statistics_of(const TensorView& tensor, Instructions instructions) {
  return summarise(tensor, instructions, nullptr);
}

Statistics statistics_of(const TensorView& tensor) {
  return statistics_of(tensor, best_instructions());
}

Statistics statistics_of(const TensorView& tensor, Sketch& sketch, Instructions instructions) {
  return summarise(tensor, instructions, &sketch);
}

Statistics statistics_of(const TensorView& tensor, Sketch& sketch) {
  return statistics_of(tensor, sketch, best_instructions());
}

// The distances are from zero instead of the mean.
Statistics norm_statistics(std::uint64_t count, double squares) {
  Statistics all;
  all.mean = 0;
  all.count = count;
  all.squared_deviations = squares;
  return all;
}

double square_sum_of(std::span<const float> values) {
  return block_kernels(best_instructions()).square_floats(values.data(), values.size());
}

Statistics norm_statistics_of(std::span<const float> values) {
  const double sum = square_sum_of(values);
  return std::isfinite(sum) ? norm_statistics(values.size(), sum) : statistics_of(view_of(values));
}

Statistics norm_statistics_of(const TensorView& tensor) {
  const BlockKernels& kernels = block_kernels(best_instructions());
  double sum = 0;
  for (BlockValues block(tensor, kernels); block.next();) {
    const std::span<const float> floats = block.floats();
    const std::span<const double> doubles = block.doubles();
    sum += floats.empty() ? kernels.square_doubles(doubles.data(), doubles.size())
                          : kernels.square_floats(floats.data(), floats.size());
  }
  return std::isfinite(sum) ? norm_statistics(tensor.count(), sum) : statistics_of(tensor);
}

Statistics statistics_of(const TensorDifference& difference) {
  return difference.type == ElementType::Float64
             ? summarise_difference<double, &BlockKernels::sum_doubles>(difference)
             : summarise_difference<float, &BlockKernels::sum_floats>(difference);
}

}  // namespace sightline::supervise
