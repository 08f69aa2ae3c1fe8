#include "core/measure/compare/layer_matching.h"

#include <deque>
#include <map>
#include <string>

namespace sightline::measure {
namespace {

using model::MeasuredLayer;

std::string path_key(const MeasuredLayer& layer) { return layer.path; }

std::string path_and_shapes_key(const MeasuredLayer& layer) {
  constexpr char kBetween = '\0';
  return layer.path + kBetween + layer.inputs + kBetween + layer.outputs;
}

// Gives the layers of run `at` that have none yet their rows, those of one key in their order.
template <typename Key>
void match_by(Key key, std::size_t at, std::vector<ComparedLayer>& rows,
              std::vector<const MeasuredLayer*>& unmatched) {
  std::map<std::string, std::deque<ComparedLayer*>> free;
  for (ComparedLayer& row : rows) {
    if (row.layers[at] == nullptr) free[key(row.any())].push_back(&row);
  }
  std::erase_if(unmatched, [&](const MeasuredLayer* layer) {
    const auto found = free.find(key(*layer));
    if (found == free.end() || found->second.empty()) return false;
    found->second.front()->layers[at] = layer;
    found->second.pop_front();
    return true;
  });
}

}  // namespace

std::vector<ComparedLayer> match_layers(const std::vector<const model::Run*>& runs) {
  std::vector<ComparedLayer> rows;
  for (std::size_t at = 0; at < runs.size(); ++at) {
    std::vector<const MeasuredLayer*> unmatched;
    unmatched.reserve(runs[at]->measurement->layers.size());
    for (const MeasuredLayer& layer : runs[at]->measurement->layers) unmatched.push_back(&layer);
    match_by(path_and_shapes_key, at, rows, unmatched);
    match_by(path_key, at, rows, unmatched);
    for (const MeasuredLayer* layer : unmatched) {
      ComparedLayer& row = rows.emplace_back();
      row.layers.resize(runs.size());
      row.layers[at] = layer;
    }
  }
  return rows;
}

}  // namespace sightline::measure
