// Which layers of a measurement a table shows, and in which order.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/export.h"
#include "core/model/measurement.h"

namespace sightline::measure {

enum class LayerSort { Calls, Parameters, Macs, Flops, Activations, Peak, Time };

struct LayerChoice {
  bool flat = false;  // no tree: full paths, and no layer that calls others
  std::optional<std::size_t> depth = std::nullopt;  // layers below it are left out; 0: the model
  LayerSort sort = LayerSort::Calls;                // in the order of the calls; else largest first

  // Sorted layers stand without a tree.
  bool is_tree() const { return !flat && sort == LayerSort::Calls; }
};

// "calls", "parameters", "macs", "flops", "activations", "peak", "time".
SIGHTLINE_API std::span<const std::string_view> layer_sort_names();
SIGHTLINE_API std::string_view name_of(LayerSort sort);
// Nothing for another name.
SIGHTLINE_API std::optional<LayerSort> layer_sort_named(std::string_view name);

struct LayerRow {
  const model::MeasuredLayer* layer = nullptr;  // of the measurement
  std::size_t depth = 0;
  double ms = 0;  // the median; 0 if it was not timed
};

// 0 for no times.
double median_ms(const std::vector<double>& times_ms);

std::vector<LayerRow> choose_layers(const model::Measurement& measurement,
                                    const LayerChoice& choice);

}  // namespace sightline::measure
