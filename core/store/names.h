// Enumerations in the run file are words, so that people can query it: model's name_of, and back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/cost.h"

namespace sightline::store {

// The enumerator of that name, for enumerations that count from zero; nothing if there is none.
template <typename Enum>
std::optional<Enum> enum_named(std::string_view name, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// "forward_ns, backward_ns, ...": the columns that hold a kind_ns array, in its order.
inline std::string kind_columns() {
  std::string columns;
  for (std::size_t i = 0; i < model::kCostKinds; ++i) {
    if (i > 0) columns += ", ";
    columns += std::string(name_of(static_cast<model::CostKind>(i))) + "_ns";
  }
  return columns;
}

}  // namespace sightline::store
