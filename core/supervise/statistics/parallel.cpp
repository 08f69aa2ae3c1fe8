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

}  // namespace

void set_part_runner(PartRunner runner) { part_runner.store(runner); }

Statistics statistics_in_parts(const TensorView& tensor) {
  const std::uint64_t count = tensor.count();
  if (count <= kPartElements) return statistics_of(tensor);
  const TensorBlocks blocks(tensor);
  if (!blocks.contiguous()) return statistics_of(tensor);
  const std::size_t parts = (count + kPartElements - 1) / kPartElements;
  std::vector<Statistics> figures(parts);
  run_parts(parts, [&](std::size_t part) {
    const std::uint64_t begin = part * kPartElements;
    const auto size =
        static_cast<std::int64_t>(std::min<std::uint64_t>(kPartElements, count - begin));
    figures[part] = statistics_of(
        TensorView{blocks.begin() + begin * bytes_of(tensor.type), tensor.type, {size}, {1}});
  });
  Statistics all;
  for (const Statistics& part : figures) all.merge(part);
  return all;
}

}  // namespace sightline::supervise
