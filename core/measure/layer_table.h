// The layers of a measurement as text for a terminal, with the totals below them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/export.h"
#include "core/model/measurement.h"

namespace sightline::measure {

enum class LayerSort { Calls, Parameters, Macs, Flops, Activations, Peak, Time };

struct LayerTableOptions {
  bool flat = false;  // no tree: full paths, and no layer that calls others
  std::optional<std::size_t> depth = std::nullopt;  // layers below it are left out; 0: the model
  LayerSort sort = LayerSort::Calls;                // in the order of the calls; else largest first
};

// "calls", "parameters", "macs", "flops", "activations", "peak", "time"; nothing for another.
SIGHTLINE_API std::optional<LayerSort> layer_sort_named(std::string_view name);

// Sorted layers stand without a tree. Names cannot steer the terminal.
SIGHTLINE_API std::string layer_table(const model::Measurement& measurement,
                                      const LayerTableOptions& options = {});

}  // namespace sightline::measure
