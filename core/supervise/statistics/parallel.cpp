#include "core/supervise/statistics/parallel.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/supervise/statistics/tensor_blocks.h"

namespace sightline::supervise {
namespace {

constexpr std::size_t kPartElements = 64 * TensorBlocks::kBlock;

std::atomic<PartRunner> part_runner{nullptr};

void run_parts(std::size_t parts, const std::function<void(std::size_t)>& work) {
  if (const PartRunner runner = part_runner.load(std::memory_order_relaxed)) {
    runner(parts, work);
    return;
  }
  for (std::size_t part = 0; part < parts; ++part) work(part);
}

// `statistics_of_part` takes the first element of the part and their number.
template <typename StatisticsOfPart>
Statistics in_parts(std::uint64_t count, const StatisticsOfPart& statistics_of_part) {
  std::vector<Statistics> figures((count + kPartElements - 1) / kPartElements);
  run_parts(figures.size(), [&](std::size_t part) {
    const std::uint64_t begin = part * kPartElements;
    figures[part] =
        statistics_of_part(begin, std::min<std::uint64_t>(kPartElements, count - begin));
  });
  Statistics all;
  for (const Statistics& part : figures) all.merge(part);
  return all;
}

const std::byte* element(const void* first, ElementType type, std::uint64_t index) {
  return static_cast<const std::byte*>(first) + index * bytes_of(type);
}

}  // namespace

void set_part_runner(PartRunner runner) { part_runner.store(runner); }

Statistics statistics_in_parts(const TensorView& tensor) {
  const std::uint64_t count = tensor.count();
  if (count <= kPartElements) return statistics_of(tensor);
  const TensorBlocks blocks(tensor);
  if (!blocks.contiguous()) return statistics_of(tensor);
  return in_parts(count, [&](std::uint64_t begin, std::uint64_t size) {
    return statistics_of(TensorView{element(blocks.begin(), tensor.type, begin),
                                    tensor.type,
                                    {static_cast<std::int64_t>(size)},
                                    {1}});
  });
}

Statistics statistics_in_parts(const TensorDifference& difference) {
  if (difference.count <= kPartElements) return statistics_of(difference);
  return in_parts(difference.count, [&](std::uint64_t begin, std::uint64_t size) {
    return statistics_of(TensorDifference{element(difference.now, difference.type, begin),
                                          element(difference.before, difference.type, begin),
                                          difference.type, size});
  });
}

}  // namespace sightline::supervise
