// What a parameter was before the optimizer's step, to know what the step added. The memory is our
// own, not torch's: it does not count as the program's, and it is used again in every step.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/supervise/statistics/tensor_view.h"

namespace sightline::torch_collector {

class UpdateCopy {
 public:
  // `one_of`: only every so many elements are copied, always the same; 1: all.
  void take(const at::Tensor& parameter, std::uint64_t one_of);

  // Whether it can be compared with the parameter as it is now.
  bool fits(const at::Tensor& parameter) const;

  // What has been added to a parameter that fits. Valid until the next take().
  // In place of the copy.
  at::Tensor write_added(const at::Tensor& parameter);
  // Without writing it: nothing where the two do not lie in memory in the same way.
  std::optional<supervise::TensorDifference> difference(const at::Tensor& parameter) const;

  void let_go() { taken_ = false; }  // it fits nothing until the next take()

  bool is_sample() const { return one_of_ > 1; }
  std::size_t bytes() const { return bytes_; }  // that it takes

 private:
  at::Tensor part_of(const at::Tensor& parameter) const;
  void make_room(const at::Tensor& part);

  struct Free {
    void operator()(std::byte* memory) const;
  };

  std::uint64_t one_of_ = 1;
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_ = 0;
  at::Tensor copy_;
  bool taken_ = false;
};

// The distance of the sample's elements: at least `one_of`, and such that no row of the parameter
// is seen in the same columns only.
std::uint64_t sample_distance(const at::Tensor& parameter, std::uint64_t one_of);

}  // namespace sightline::torch_collector
