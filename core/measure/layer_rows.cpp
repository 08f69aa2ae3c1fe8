#include "core/measure/layer_rows.h"

#include <algorithm>
#include <array>

#include "core/measure/timing.h"

namespace sightline::measure {
namespace {

using model::MeasuredLayer;

// In the order of LayerSort.
constexpr std::array<std::string_view, 7> kLayerSorts = {
    "calls", "parameters", "macs", "flops", "activations", "peak", "time"};

std::vector<std::size_t> depths_of(const std::vector<MeasuredLayer>& layers) {
  std::vector<std::size_t> depths(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].parent > 0) depths[i] = depths[layers[i].parent - 1] + 1;
  }
  return depths;
}

double sort_size(const LayerRow& row, LayerSort sort) {
  switch (sort) {
    case LayerSort::Calls:
      return 0;
    case LayerSort::Parameters:
      return static_cast<double>(row.layer->parameters.total);
    case LayerSort::Macs:
      return static_cast<double>(row.layer->work.macs.forward);
    case LayerSort::Flops:
      return static_cast<double>(row.layer->work.flops.forward);
    case LayerSort::Activations:
      return static_cast<double>(row.layer->activation_bytes);
    case LayerSort::Peak:
      return static_cast<double>(row.layer->peak_bytes.value_or(0));
    case LayerSort::Time:
      return row.ms;
  }
  return 0;
}

}  // namespace

std::span<const std::string_view> layer_sort_names() { return kLayerSorts; }

std::string_view name_of(LayerSort sort) { return kLayerSorts[static_cast<std::size_t>(sort)]; }

std::optional<LayerSort> layer_sort_named(std::string_view name) {
  const auto found = std::find(kLayerSorts.begin(), kLayerSorts.end(), name);
  if (found == kLayerSorts.end()) return std::nullopt;
  return static_cast<LayerSort>(found - kLayerSorts.begin());
}

double median_ms(const std::vector<double>& times_ms) {
  const auto summary = summarise_times(times_ms);
  return summary ? summary->median_ms : 0;
}

std::vector<LayerRow> choose_layers(const model::Measurement& measurement,
                                    const LayerChoice& choice) {
  const std::vector<MeasuredLayer>& layers = measurement.layers;
  const std::vector<std::size_t> depths = depths_of(layers);
  std::vector<bool> calls_others(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool shown = !choice.depth || depths[i] <= *choice.depth;
    if (shown && layers[i].parent > 0) calls_others[layers[i].parent - 1] = true;
  }
  std::vector<LayerRow> rows;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (choice.depth && depths[i] > *choice.depth) continue;
    if (choice.flat && calls_others[i]) continue;
    rows.push_back({&layers[i], depths[i], median_ms(layers[i].times_ms)});
  }
  if (choice.sort != LayerSort::Calls) {
    std::stable_sort(rows.begin(), rows.end(), [&](const LayerRow& a, const LayerRow& b) {
      return sort_size(a, choice.sort) > sort_size(b, choice.sort);
    });
  }
  return rows;
}

}  // namespace sightline::measure
