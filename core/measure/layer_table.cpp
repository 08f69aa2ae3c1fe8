#include "core/measure/layer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/measure/table_cells.h"
#include "core/measure/totals_text.h"

namespace sightline::measure {
namespace {

using model::MeasuredLayer;
using model::Measurement;

struct LayerColumn {
  std::string title;
  bool right = true;
  std::vector<std::string> cells;
};

std::string_view last_name(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

std::string layer_name_cell(const LayerRow& row, const Measurement& measurement, bool tree) {
  if (row.layer->parent == 0) return text_cell(measurement.model);
  if (!tree) return text_cell(row.layer->path);
  return std::string(2 * row.depth, ' ') + text_cell(last_name(row.layer->path));
}

std::string layer_line_cell(const MeasuredLayer& layer) {
  if (layer.file.empty()) return "";
  const std::string_view file(layer.file);
  const std::size_t slash = file.rfind('/');
  return fmt::format("{}:{}", text_cell(file.substr(slash == std::string::npos ? 0 : slash + 1)),
                     layer.line);
}

template <typename Describe>
LayerColumn make_column(std::string title, bool right, const std::vector<LayerRow>& rows,
                        Describe describe) {
  LayerColumn made{std::move(title), right, {}};
  for (const LayerRow& row : rows) made.cells.push_back(describe(row));
  return made;
}

// Of the time where there are times, else of the multiply-accumulates.
LayerColumn share_column(const Measurement& measurement, const std::vector<LayerRow>& rows) {
  const bool timed = !measurement.layers.empty() && !measurement.layers[0].times_ms.empty();
  const double all = timed ? median_ms(measurement.layers[0].times_ms)
                           : static_cast<double>(measurement.work.macs.forward);
  return make_column(timed ? "% time" : "% MACs", true, rows, [&](const LayerRow& row) {
    const double part = timed ? row.ms : static_cast<double>(row.layer->work.macs.forward);
    return all > 0 ? share_cell(part / all) : std::string();
  });
}

std::vector<LayerColumn> layer_columns(const Measurement& measurement,
                                       const std::vector<LayerRow>& rows, bool tree) {
  const auto layer_column = [&](const char* title, bool right, auto describe) {
    return make_column(title, right, rows,
                       [&](const LayerRow& row) { return describe(*row.layer); });
  };
  std::vector<LayerColumn> columns;
  columns.push_back(make_column("layer", false, rows, [&](const LayerRow& row) {
    return layer_name_cell(row, measurement, tree);
  }));
  columns.push_back(layer_column("type", false,
                                 [](const MeasuredLayer& layer) { return text_cell(layer.type); }));
  columns.push_back(layer_column("line", false, layer_line_cell));
  columns.push_back(layer_column(
      "input", false, [](const MeasuredLayer& layer) { return text_cell(layer.inputs); }));
  columns.push_back(layer_column(
      "output", false, [](const MeasuredLayer& layer) { return text_cell(layer.outputs); }));
  columns.push_back(layer_column("parameters", true, [](const MeasuredLayer& layer) {
    return count_cell(layer.parameters.total);
  }));
  columns.push_back(layer_column("MACs", true, [](const MeasuredLayer& layer) {
    return count_cell(layer.work.macs.forward);
  }));
  columns.push_back(layer_column("FLOPs", true, [](const MeasuredLayer& layer) {
    return count_cell(layer.work.flops.forward);
  }));
  columns.push_back(layer_column("activations", true, [](const MeasuredLayer& layer) {
    return bytes_cell(layer.activation_bytes);
  }));
  columns.push_back(layer_column("peak", true, [](const MeasuredLayer& layer) {
    return layer.peak_bytes ? bytes_cell(*layer.peak_bytes) : std::string();
  }));
  columns.push_back(make_column("ms", true, rows, [](const LayerRow& row) {
    return row.layer->times_ms.empty() ? std::string() : ms_cell(row.ms);
  }));
  columns.push_back(share_column(measurement, rows));
  return columns;
}

std::size_t column_width(const LayerColumn& column) {
  std::size_t width = column.title.size();
  for (const std::string& cell : column.cells) width = std::max(width, cell.size());
  return width;
}

// A shape of many tensors must not push everything else out of sight.
void shorten(LayerColumn& column) {
  constexpr std::size_t kLongest = 40;
  for (std::string& cell : column.cells) {
    if (cell.size() <= kLongest) continue;
    cell.resize(kLongest - 3);
    cell += "...";
  }
}

std::string table_text(const std::vector<LayerColumn>& columns, std::size_t rows) {
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (const LayerColumn& column : columns) {
      const std::size_t width = column_width(column);
      const std::string cell = cell_of(column, width);
      line += column.right ? fmt::format("{:>{}}  ", cell, width)
                           : fmt::format("{:<{}}  ", cell, width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  add_line([](const LayerColumn& column, std::size_t) { return column.title; });
  add_line([](const LayerColumn&, std::size_t width) { return std::string(width, '-'); });
  for (std::size_t i = 0; i < rows; ++i) {
    add_line([i](const LayerColumn& column, std::size_t) { return column.cells[i]; });
  }
  return text;
}

}  // namespace

std::string layer_table(const Measurement& measurement, const LayerChoice& choice) {
  const std::vector<LayerRow> rows = choose_layers(measurement, choice);
  std::vector<LayerColumn> columns = layer_columns(measurement, rows, choice.is_tree());
  for (LayerColumn& column : columns) shorten(column);
  return table_text(columns, rows.size()) + '\n' + totals_text(measurement);
}

}  // namespace sightline::measure
