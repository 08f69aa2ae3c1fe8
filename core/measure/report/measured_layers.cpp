#include <fmt/format.h>

#include <algorithm>

#include "core/measure/report/report_parts.h"
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

Style heat_of(double share) {
  if (share >= kHotShare) return Style::Hot;
  return share >= kWarmShare ? Style::Warm : Style::Plain;
}

Cell cell_or_nothing(bool known, const std::string& text, Style style = Style::Plain) {
  return known ? Cell{text, style} : Cell{profile::kNothing, Style::Faint};
}

class LayerTable {
 public:
  explicit LayerTable(const MeasurementPage& page) : page_(page), choice_(page.wanted.layers) {
    const std::vector<MeasuredLayer>& layers = page.measurement.layers;
    timed_ = std::any_of(layers.begin(), layers.end(),
                         [](const MeasuredLayer& layer) { return !layer.times_ms.empty(); });
    for (const LayerRow& row : choose_layers(page.measurement, {.depth = 0})) {
      all_ = std::max(all_, cost_of(row));
    }
    if (page.wanted.top) {
      choice_.flat = true;
      if (choice_.sort == LayerSort::Calls) {
        choice_.sort = timed_ ? LayerSort::Time : LayerSort::Macs;
      }
    }
    rows_ = choose_layers(page.measurement, choice_);
    const std::size_t top = page.wanted.top.value_or(0);
    if (top > 0) rows_.resize(std::min(rows_.size(), top));
  }

  std::string remark() const {
    if (choice_.is_tree()) return "with the layers that each of them calls";
    if (choice_.sort == LayerSort::Calls) return "those that call no others";
    return fmt::format("by {}, the most expensive first", name_of(choice_.sort));
  }

  std::string render() const {
    const std::size_t all = page_.measurement.layers.size();
    profile::Table table({{"layer", Align::Path},
                          {"input", Align::Left, true},
                          {"output", Align::Left},
                          {"parameters"},
                          {"MACs"},
                          {"FLOPs", Align::Right, true},
                          {"time"},
                          {timed_ ? "of time" : "of MACs"},
                          {"activations"},
                          {"peak"},
                          {"called at", Align::Path}});
    for (const LayerRow& row : rows_) table.add(cells_of(row));
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
  double cost_of(const LayerRow& row) const {
    return timed_ ? row.ms : static_cast<double>(row.layer->work.macs.forward);
  }

  std::string name_of_layer(const LayerRow& row) const {
    const std::string path = profile::printable(row.layer->path);
    const std::string type = "(" + profile::printable(row.layer->type) + ")";
    if (!choice_.is_tree()) return path.empty() ? type : path + " " + type;
    const std::string last = path.substr(path.rfind('.') + 1);
    return std::string(2 * row.depth, ' ') + (last.empty() ? type : last + " " + type);
  }

  std::vector<Cell> cells_of(const LayerRow& row) const {
    using profile::format_amount;
    using profile::format_bytes;
    const MeasuredLayer& layer = *row.layer;
    const double share = all_ > 0.0 ? cost_of(row) / all_ : 0.0;
    const Style style = row.depth == 0 ? Style::Plain : heat_of(share);
    const auto macs = layer.work.macs.forward;
    const auto flops = layer.work.flops.forward;
    const auto parameters = layer.parameters.total;
    const std::string place = profile::printable(layer.file.substr(layer.file.rfind('/') + 1)) +
                              ":" + std::to_string(layer.line);
    return {
        {name_of_layer(row), row.depth == 0 ? Style::Strong : Style::Plain},
        {profile::printable(layer.inputs)},
        {profile::printable(layer.outputs)},
        cell_or_nothing(parameters > 0, format_amount(static_cast<double>(parameters))),
        cell_or_nothing(macs > 0, format_amount(static_cast<double>(macs))),
        cell_or_nothing(flops > 0, format_amount(static_cast<double>(flops))),
        cell_or_nothing(!layer.times_ms.empty(), profile::format_time(row.ms * 1e6), style),
        cell_or_nothing(share > 0.0, profile::format_percent(100.0 * share), style),
        cell_or_nothing(layer.activation_bytes > 0, format_bytes(layer.activation_bytes)),
        cell_or_nothing(layer.peak_bytes.has_value(), format_bytes(layer.peak_bytes.value_or(0))),
        cell_or_nothing(!layer.file.empty(), place)};
  }

  const MeasurementPage& page_;
  LayerChoice choice_;
  std::vector<LayerRow> rows_;
  bool timed_ = false;
  double all_ = 0.0;
};

}  // namespace

std::string render_measured_layers(const MeasurementPage& page) {
  if (page.measurement.layers.empty()) return "";
  const LayerTable table(page);
  return page.heading("Layers", table.remark()) + table.render();
}

}  // namespace sightline::measure
