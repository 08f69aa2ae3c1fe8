// The words that the run file uses for enumerations, so that people can query it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/block.h"
#include "core/model/cost.h"
#include "core/model/frame.h"
#include "core/model/step.h"

namespace sightline::store {

inline constexpr std::size_t kFileRoles = 3;
inline constexpr std::size_t kStepRoles = 3;

constexpr std::string_view name_of(model::FileRole role) {
  constexpr std::array<std::string_view, kFileRoles> kNames = {"project", "included", "library"};
  return kNames[static_cast<std::size_t>(role)];
}

constexpr std::string_view name_of(model::StepRole role) {
  constexpr std::array<std::string_view, kStepRoles> kNames = {"warmup", "counted", "unobserved"};
  return kNames[static_cast<std::size_t>(role)];
}

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
