#include "core/measure/status/unit.h"

#include <algorithm>
#include <iterator>

namespace sightline::measure {
namespace {

enum class Dimension { Bytes, Time, Count, Macs, Flops };

struct Unit {
  Dimension dimension;
  double scale;
};

struct NamedUnit {
  std::string_view name;
  Unit unit;
};

struct Prefix {
  std::string_view name;
  double scale;
};

constexpr double kKibi = 1024;

constexpr NamedUnit kNamedUnits[] = {
    {"bytes", {Dimension::Bytes, 1}},
    {"B", {Dimension::Bytes, 1}},
    {"KB", {Dimension::Bytes, 1e3}},
    {"kB", {Dimension::Bytes, 1e3}},
    {"MB", {Dimension::Bytes, 1e6}},
    {"GB", {Dimension::Bytes, 1e9}},
    {"TB", {Dimension::Bytes, 1e12}},
    {"KiB", {Dimension::Bytes, kKibi}},
    {"MiB", {Dimension::Bytes, kKibi* kKibi}},
    {"GiB", {Dimension::Bytes, kKibi* kKibi* kKibi}},
    {"TiB", {Dimension::Bytes, kKibi* kKibi* kKibi* kKibi}},
    {"ns", {Dimension::Time, 1e-9}},
    {"us", {Dimension::Time, 1e-6}},
    {"µs", {Dimension::Time, 1e-6}},
    {"ms", {Dimension::Time, 1e-3}},
    {"s", {Dimension::Time, 1}},
    {"seconds", {Dimension::Time, 1}},
    {"min", {Dimension::Time, 60}},
    {"Thousands", {Dimension::Count, 1e3}},
    {"Millions", {Dimension::Count, 1e6}},
    {"Billions", {Dimension::Count, 1e9}},
};

constexpr Prefix kPrefixes[] = {
    {"", 1},       {"Kilo", 1e3}, {"K", 1e3},     {"k", 1e3},  {"Mega", 1e6},  {"M", 1e6},
    {"Giga", 1e9}, {"G", 1e9},    {"Tera", 1e12}, {"T", 1e12}, {"Peta", 1e15}, {"P", 1e15},
};

std::optional<Unit> prefixed(std::string_view name, std::string_view ending, Dimension dimension) {
  if (!name.ends_with(ending)) return std::nullopt;
  name.remove_suffix(ending.size());
  const auto* found = std::find_if(std::begin(kPrefixes), std::end(kPrefixes),
                                   [&](const Prefix& prefix) { return prefix.name == name; });
  if (found == std::end(kPrefixes)) return std::nullopt;
  return Unit{dimension, found->scale};
}

std::optional<Unit> unit_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(kNamedUnits), std::end(kNamedUnits),
                                   [&](const NamedUnit& unit) { return unit.name == name; });
  if (found != std::end(kNamedUnits)) return found->unit;
  if (const auto macs = prefixed(name, "MACs", Dimension::Macs)) return macs;
  return prefixed(name, "FLOPs", Dimension::Flops);
}

}  // namespace

std::optional<double> conversion(std::string_view from, std::string_view to) {
  if (from == to) return 1;
  const std::optional<Unit> first = unit_named(from);
  const std::optional<Unit> second = unit_named(to);
  if (!first || !second || first->dimension != second->dimension) return std::nullopt;
  return first->scale / second->scale;
}

}  // namespace sightline::measure
