// Interpolation: for each result the products with what lies around it, and their sum. How the
// weights are found is left out: they serve all channels.
#include <algorithm>
#include <array>

#include "core/measure/formulas/families.h"
#include "core/measure/formulas/reading.h"

namespace sightline::measure {
namespace {

enum class Sampling : std::uint8_t { Linear, Nearest, Cubic };

// Points around a place. Nothing for a way of sampling that is not known.
std::optional<std::uint64_t> points_around(std::int64_t sampling, int dimensions) {
  constexpr std::array<std::uint64_t, 3> kAlongOneAxis = {2, 1, 4};  // by Sampling
  if (sampling < 0 || sampling >= static_cast<std::int64_t>(kAlongOneAxis.size())) return {};
  std::uint64_t points = 1;
  for (int i = 0; i < dimensions; ++i) points *= kAlongOneAxis[static_cast<std::size_t>(sampling)];
  return points;
}

// Operations for one line of results along an axis: the window grows where points get fewer.
std::uint64_t axis_operations(std::uint64_t before, std::uint64_t after, std::uint64_t window) {
  const std::uint64_t taps =
      after == 0 ? 0 : (window * std::max(before, after) + after - 1) / after;
  return after * (taps == 0 ? 0 : 2 * taps - 1);
}

}  // namespace

// Along the width first, then along the height.
CostOrNothing antialiased_of(const OperatorCall& call, std::uint64_t window, bool backward) {
  const Tensor* source = tensor_at(call, 0);
  const Tensor* made = output_at(call);
  if (source == nullptr || made == nullptr) return std::nullopt;
  const Tensor& before = backward ? *made : *source;
  const Tensor& after = backward ? *source : *made;
  const std::uint64_t images = size_at(before, 0) * size_at(before, 1);
  const std::uint64_t width = axis_operations(size_at(before, -1), size_at(after, -1), window);
  const std::uint64_t height = axis_operations(size_at(before, -2), size_at(after, -2), window);
  return Cost{.flops = images * (size_at(before, -2) * width + size_at(after, -1) * height),
              .bytes = traffic(call)};
}

// (input, grid, way of sampling, ...)
CostOrNothing grid_sampler_of(const OperatorCall& call, int dimensions) {
  const std::optional<std::uint64_t> points = points_around(integer_at(call, 2, -1), dimensions);
  if (!points) return std::nullopt;
  return per_result_of(call, *points == 1 ? 0 : 2 * *points - 1);
}

// (gradient, input, grid, way of sampling, padding, corners, which gradients are wanted). That of
// the input: a product and a sum for each point. That of the grid: for each point and axis the
// products with the weights of the other axes, with the derivative of its own, and a sum.
CostOrNothing grid_sampler_backward_of(const OperatorCall& call, int dimensions) {
  const Tensor* gradient = tensor_at(call, 0);
  const std::int64_t sampling = integer_at(call, 3, -1);
  const std::optional<std::uint64_t> points = points_around(sampling, dimensions);
  const std::vector<bool>& wanted = flags_at(call, 6);
  if (gradient == nullptr || !points || wanted.size() < 2) return std::nullopt;
  const bool nearest = sampling == static_cast<std::int64_t>(Sampling::Nearest);
  const auto axes = static_cast<std::uint64_t>(dimensions);
  std::uint64_t operations = 0;
  if (wanted[0]) operations += nearest ? 1 : 2 * *points;
  if (wanted[1] && !nearest) operations += *points * axes * (axes + 1);
  return Cost{.flops = operations * elements(*gradient), .bytes = traffic(call)};
}

}  // namespace sightline::measure
