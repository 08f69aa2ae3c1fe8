#include "collectors/torch/stored_tensor.h"

#include <ATen/ATen.h>

namespace sightline::torch_collector {
namespace {

Stored dense(const at::Tensor& tensor) {
  const auto elements = static_cast<std::uint64_t>(tensor.numel());
  return {elements, elements * tensor.element_size()};
}

Stored values_with_places(const at::Tensor& values, std::initializer_list<at::Tensor> places) {
  Stored all = dense(values);
  for (const at::Tensor& place : places) all.bytes += dense(place).bytes;
  return all;
}

bool has_plain_sizes(const at::Tensor& tensor) {
  return !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

}  // namespace

Stored stored(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  if (tensor.is_nested()) return stored(at::_nested_get_values(tensor));
  switch (tensor.layout()) {
    case at::kSparse:
      return values_with_places(tensor._values(), {tensor._indices()});
    case at::kSparseCsr:
    case at::kSparseBsr:
      return values_with_places(tensor.values(), {tensor.crow_indices(), tensor.col_indices()});
    case at::kSparseCsc:
    case at::kSparseBsc:
      return values_with_places(tensor.values(), {tensor.ccol_indices(), tensor.row_indices()});
    default:
      return has_plain_sizes(tensor) ? dense(tensor) : Stored();
  }
}

}  // namespace sightline::torch_collector
