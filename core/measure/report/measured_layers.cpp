#include <algorithm>

#include "core/measure/report/report_parts.h"
#include "core/measure/timing.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::measure {
namespace {

using model::MeasuredLayer;
using profile::Align;
using profile::Cell;
using profile::Style;

constexpr double kHotShare = 0.2;
constexpr double kWarmShare = 0.05;

struct ShownLayer {
  const MeasuredLayer* layer = nullptr;
  std::size_t depth = 0;
  double ms = 0.0;
};

Style heat_of(double share) {
  if (share >= kHotShare) return Style::Hot;
  return share >= kWarmShare ? Style::Warm : Style::Plain;
}

Cell cell_or_nothing(bool known, const std::string& text, Style style = Style::Plain) {
  return known ? Cell{text, style} : Cell{profile::kNothing, Style::Faint};
}

class LayerTable {
 public:
  explicit LayerTable(const MeasurementPage& page) : page_(page) {
    const std::vector<MeasuredLayer>& layers = page.measurement.layers;
    std::vector<std::size_t> depths(layers.size());
    for (std::size_t at = 0; at < layers.size(); ++at) {
      const std::uint32_t parent = layers[at].parent;
      if (parent > 0 && parent <= at) depths[at] = depths[parent - 1] + 1;
      const auto time = summarise_times(layers[at].times_ms);
      rows_.push_back({&layers[at], depths[at], time ? time->median_ms : 0.0});
      timed_ = timed_ || time.has_value();
    }
    for (const ShownLayer& row : rows_) {
      if (row.depth == 0) all_ = std::max(all_, cost_of(row));
    }
  }

  std::string render() {
    const std::size_t all = rows_.size();
    choose();
    profile::Table table({{"layer", Align::Path},
                          {"output", Align::Left},
                          {"parameters"},
                          {"MACs"},
                          {"time"},
                          {timed_ ? "of time" : "of MACs"},
                          {"activations"},
                          {"peak"},
                          {"called at", Align::Path}});
    for (const ShownLayer& row : rows_) table.add(cells_of(row));
    std::string text = table.render(page_.options.width, page_.paint);
    if (rows_.size() < all) {
      text += "  " +
              page_.paint(Style::Faint,
                          "and " + profile::format_count(static_cast<double>(all - rows_.size())) +
                              " more layers") +
              "\n";
    }
    return text;
  }

 private:
  double cost_of(const ShownLayer& row) const {
    return timed_ ? row.ms : static_cast<double>(row.layer->work.macs.forward);
  }

  // A list of the most expensive ones holds no layer that only passes on to others.
  void choose() {
    if (page_.wanted.depth) {
      std::erase_if(rows_, [&](const ShownLayer& row) { return row.depth > *page_.wanted.depth; });
    }
    if (!page_.wanted.top) return;
    std::vector<bool> calls_others(page_.measurement.layers.size() + 1);
    for (const ShownLayer& row : rows_) calls_others[row.layer->parent] = true;
    const MeasuredLayer* first = page_.measurement.layers.data();
    std::erase_if(rows_, [&](const ShownLayer& row) {
      return calls_others[static_cast<std::size_t>(row.layer - first) + 1];
    });
    std::stable_sort(rows_.begin(), rows_.end(), [&](const ShownLayer& a, const ShownLayer& b) {
      return cost_of(a) > cost_of(b);
    });
    if (*page_.wanted.top > 0) rows_.resize(std::min(rows_.size(), *page_.wanted.top));
  }

  std::string name_of_layer(const ShownLayer& row) const {
    const std::string path = profile::printable(row.layer->path);
    const std::string type = "(" + profile::printable(row.layer->type) + ")";
    if (page_.wanted.top) return path.empty() ? type : path + " " + type;
    const std::string last = path.substr(path.rfind('.') + 1);
    return std::string(2 * row.depth, ' ') + (last.empty() ? type : last + " " + type);
  }

  std::vector<Cell> cells_of(const ShownLayer& row) const {
    using profile::format_amount;
    using profile::format_bytes;
    const MeasuredLayer& layer = *row.layer;
    const double share = all_ > 0.0 ? cost_of(row) / all_ : 0.0;
    const Style style = row.depth == 0 ? Style::Plain : heat_of(share);
    const auto macs = layer.work.macs.forward;
    const auto parameters = layer.parameters.total;
    const std::string place = profile::printable(layer.file.substr(layer.file.rfind('/') + 1)) +
                              ":" + std::to_string(layer.line);
    return {
        {name_of_layer(row), row.depth == 0 ? Style::Strong : Style::Plain},
        {profile::printable(layer.outputs)},
        cell_or_nothing(parameters > 0, format_amount(static_cast<double>(parameters))),
        cell_or_nothing(macs > 0, format_amount(static_cast<double>(macs))),
        cell_or_nothing(!layer.times_ms.empty(), profile::format_time(row.ms * 1e6), style),
        cell_or_nothing(share > 0.0, profile::format_percent(100.0 * share), style),
        cell_or_nothing(layer.activation_bytes > 0, format_bytes(layer.activation_bytes)),
        cell_or_nothing(layer.peak_bytes.has_value(), format_bytes(layer.peak_bytes.value_or(0))),
        cell_or_nothing(!layer.file.empty(), place)};
  }

  const MeasurementPage& page_;
  std::vector<ShownLayer> rows_;
  bool timed_ = false;
  double all_ = 0.0;
};

}  // namespace

std::string render_measured_layers(const MeasurementPage& page) {
  if (page.measurement.layers.empty()) return "";
  const char* remark =
      page.wanted.top ? "the most expensive first" : "with the layers that each of them calls";
  return page.heading("Layers", remark) + LayerTable(page).render();
}

}  // namespace sightline::measure
