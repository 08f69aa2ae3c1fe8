// How formulas read a call. What is not there, or is something else, is null or empty: the call may
// come from a newer framework whose operator takes other arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/export.h"
#include "core/measure/operator_call.h"

namespace sightline::measure {

// A dense tensor, whose shape can be read.
SIGHTLINE_API const Tensor* tensor_at(const OperatorCall& call, std::size_t position);
SIGHTLINE_API const ListApart<Tensor>* tensors_at(const OperatorCall& call, std::size_t position);
SIGHTLINE_API const Tensor* output_at(const OperatorCall& call, std::size_t position = 0);
// One of which only the number of elements counts: nested ones too.
SIGHTLINE_API const Tensor* values_at(const OperatorCall& call, std::size_t position);
SIGHTLINE_API const Tensor* output_values(const OperatorCall& call, std::size_t position = 0);
SIGHTLINE_API std::int64_t integer_at(const OperatorCall& call, std::size_t position,
                                      std::int64_t otherwise);
SIGHTLINE_API bool flag_at(const OperatorCall& call, std::size_t position);
SIGHTLINE_API const ListApart<std::int64_t>& integers_at(const OperatorCall& call,
                                                         std::size_t position);
SIGHTLINE_API const std::vector<bool>& flags_at(const OperatorCall& call, std::size_t position);

// Of the tensor at that position. A call whose tensors all want none was not asked: then each does.
SIGHTLINE_API bool wants_gradient(const OperatorCall& call, std::size_t position);

SIGHTLINE_API std::uint64_t elements(const Tensor& tensor);
SIGHTLINE_API std::uint64_t bytes(const Tensor& tensor);
// A dimension, from the end if negative; 1 where the tensor has none.
SIGHTLINE_API std::uint64_t size_at(const Tensor& tensor, int dimension);

// All tensors among the arguments and among the outputs.
SIGHTLINE_API std::uint64_t bytes_of(const ListApart<Argument>& values);
SIGHTLINE_API std::uint64_t traffic(const OperatorCall& call);

}  // namespace sightline::measure
