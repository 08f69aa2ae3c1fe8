#include "collectors/torch/device_figures.h"

#include <ATen/ATen.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "collectors/torch/quiet_torch.h"

namespace sightline::torch_collector {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::atomic<bool> of_all{false};

// In which sums are made. There are devices without double precision.
at::ScalarType wide_type(const at::Tensor& tensor) {
  return tensor.device().is_mps() ? at::kFloat : at::kDouble;
}

// In which single elements are: one that holds all of them, and a difference of two.
at::Tensor as_numbers(const at::Tensor& tensor) {
  at::Tensor dense = tensor.detach();
  if (dense.layout() != at::kStrided) dense = dense.to_dense();
  dense = dense.resolve_neg();
  const at::ScalarType type = dense.scalar_type();
  if (type == at::kFloat || type == at::kDouble) return dense;
  return dense.to(at::isFloatingType(type) ? at::kFloat : wide_type(dense));
}

// The order of Sums below.
at::Tensor sums_of(const at::Tensor& numbers) {
  const at::ScalarType wide = wide_type(numbers);
  const at::Tensor finite = numbers.isfinite();
  const at::Tensor count = finite.sum(at::kLong).to(wide);
  const at::Tensor kept = at::where(finite, numbers, 0);
  const at::Tensor mean = kept.sum(wide) / count;
  const at::Tensor distances =
      at::where(finite, numbers - mean.to(numbers.scalar_type()), 0).flatten();
  return at::stack({
      count,
      (numbers == 0).sum(at::kLong).to(wide),
      mean,
      at::where(finite, numbers, kInfinity).amin().to(wide),
      at::where(finite, numbers, -kInfinity).amax().to(wide),
      at::linalg_vector_norm(kept.flatten(), 1, std::nullopt, false, wide),
      at::linalg_vector_norm(distances, 2, std::nullopt, false, wide).square(),
  });
}
enum Sum : std::size_t { Finite, Zeros, Mean, Min, Max, L1, SquaredDeviations };

// By unit; undefined if the tensor has none.
at::Tensor active_of(const at::Tensor& numbers, const supervise::ActiveRange& range) {
  if (numbers.dim() < 2) return {};
  const auto units =
      static_cast<std::int64_t>(supervise::unit_dimension(static_cast<std::size_t>(numbers.dim())));
  std::vector<std::int64_t> others;
  for (std::int64_t i = 0; i < numbers.dim(); ++i) {
    if (i != units) others.push_back(i);
  }
  return numbers.gt(range.above).logical_and(numbers.lt(range.below)).sum(others, false, at::kLong);
}

class TorchFigures final : public supervise::ComingFigures {
 public:
  TorchFigures(std::uint64_t count, at::Tensor sums, at::Tensor active)
      : count_(count), sums_(std::move(sums)), active_(std::move(active)) {}

  supervise::DeviceFigures read() const override {
    const QuietTorch quiet;
    const at::Tensor sums = sums_.to(at::kCPU).to(at::kDouble);
    const auto* sum = sums.const_data_ptr<double>();
    supervise::DeviceFigures figures;
    supervise::Statistics& statistics = figures.statistics;
    statistics.count = count_;
    const auto finite = static_cast<std::uint64_t>(sum[Finite]);
    statistics.non_finite = count_ - finite;
    statistics.zeros = static_cast<std::uint64_t>(sum[Zeros]);
    if (finite > 0) {
      statistics.mean = sum[Mean];
      statistics.min = sum[Min];
      statistics.max = sum[Max];
      statistics.l1 = sum[L1];
      statistics.squared_deviations = sum[SquaredDeviations];
    }
    if (active_.defined()) {
      const at::Tensor active = active_.to(at::kCPU);
      const auto* first = active.const_data_ptr<std::int64_t>();
      figures.units.active.assign(first, first + active.numel());
      figures.units.values = count_ / figures.units.active.size();
    }
    return figures;
  }

 private:
  const std::uint64_t count_;
  const at::Tensor sums_;
  const at::Tensor active_;
};

}  // namespace

bool makes_figures_of(const at::Tensor& tensor) {
  return !tensor.device().is_cpu() || of_all.load(std::memory_order_relaxed);
}

void make_figures_of_all(bool all) { of_all.store(all, std::memory_order_relaxed); }

std::shared_ptr<const supervise::ComingFigures> begin_figures(
    const at::Tensor& tensor, const std::optional<supervise::ActiveRange>& active) {
  const QuietTorch quiet;
  try {
    const at::Tensor numbers = as_numbers(tensor);
    return std::make_shared<TorchFigures>(static_cast<std::uint64_t>(numbers.numel()),
                                          sums_of(numbers),
                                          active ? active_of(numbers, *active) : at::Tensor());
  } catch (const c10::Error&) {
    return nullptr;
  }
}

}  // namespace sightline::torch_collector
