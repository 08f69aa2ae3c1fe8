// What a parameter was before the optimizer's step, to know what the step added. The memory is our
// own, not torch's: it does not count as the program's, and it is used again in every step.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sightline::torch_collector {

class UpdateCopy {
 public:
  // `one_of`: only every so many elements are copied, always the same; 1: all.
  void take(const at::Tensor& parameter, std::uint64_t one_of);

  // What has been added since, in place of the copy. Undefined if there is no copy, or none of
  // this shape. Valid until the next take().
  at::Tensor added(const at::Tensor& parameter);

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
