#include "core/export/step_tree_json.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/profile/call_tree.h"
#include "core/profile/report/safe_text.h"

namespace sightline::exports {
namespace {

using Json = nlohmann::ordered_json;

// Things in the order in which they were first asked for.
template <typename Key>
class Places {
 public:
  std::int64_t of(const Key& key) {
    const auto [it, added] = places_.try_emplace(key, static_cast<std::int64_t>(keys_.size()));
    if (added) keys_.push_back(key);
    return it->second;
  }
  const std::vector<Key>& keys() const { return keys_; }

 private:
  std::map<Key, std::int64_t> places_;
  std::vector<Key> keys_;
};

// Entry 0 of a table means "nothing", and is not in the JSON.
std::int64_t place_of(std::uint32_t id) { return static_cast<std::int64_t>(id) - 1; }

using profile::valid_utf8;

template <typename Value>
Json column(const std::vector<StepNode>& nodes, Value value) {
  Json values = Json::array();
  for (const StepNode& node : nodes) values.push_back(value(node));
  return values;
}

Json files_json(const model::Run& run, const Places<model::FileId>& files) {
  Json values = Json::array();
  for (const model::FileId id : files.keys()) {
    const model::File& file = run.files[id];
    values.push_back({{"path", valid_utf8(file.path)},
                      {"role", model::name_of(file.role)},
                      {"hash", valid_utf8(file.source_hash)}});
  }
  return values;
}

Json modules_json(const model::Run& run) {
  Json values = Json::array();
  for (std::size_t id = 1; id < run.modules.size(); ++id) {
    const model::Module& module = run.modules[id];
    values.push_back({{"path", valid_utf8(module.path)},
                      {"type", valid_utf8(module.type)},
                      {"parent", place_of(module.parent)}});
  }
  return values;
}

Json operators_json(const model::Run& run) {
  Json values = Json::array();
  for (std::size_t id = 1; id < run.operators.size(); ++id) {
    values.push_back(valid_utf8(run.operators[id].name));
  }
  return values;
}

Json categories_json() {
  Json values = Json::array();
  for (std::size_t at = 0; at < model::kCategories; ++at) {
    values.push_back(model::name_of(static_cast<model::Category>(at)));
  }
  return values;
}

Json peak_json(const std::vector<StepPeak>& peak) {
  Json nodes = Json::array(), categories = Json::array(), bytes = Json::array();
  for (const StepPeak& held : peak) {
    nodes.push_back(held.node);
    categories.push_back(static_cast<std::size_t>(held.category));
    bytes.push_back(held.bytes);
  }
  return {{"node", nodes}, {"category", categories}, {"bytes", bytes}};
}

class NodeColumns {
 public:
  NodeColumns(const model::Run& run, const StepTree& tree) : run_(run), nodes_(tree.nodes) {}

  Json columns() {
    return {
        {"parent", parents()},
        {"kind", column(nodes_, [](const StepNode& node) { return static_cast<int>(node.kind); })},
        {"file", column(nodes_, [&](const StepNode& node) { return file_of(node); })},
        {"line", column(nodes_, [&](const StepNode& node) { return line_of(node); })},
        {"function", column(nodes_, [&](const StepNode& node) { return function_of(node); })},
        {"module", column(nodes_, [](const StepNode& node) { return place_of(node.module); })},
        {"operator", column(nodes_, [](const StepNode& node) { return place_of(node.op); })},
        {"forward_ns", column(nodes_, [](const StepNode& node) { return node.times.forward(); })},
        {"backward_ns", column(nodes_, [](const StepNode& node) { return node.times.backward(); })},
        {"python_ns", column(nodes_, [](const StepNode& node) { return node.times.python(); })},
        {"optimizer_ns",
         column(nodes_, [](const StepNode& node) { return node.times.optimizer(); })},
        {"data_ns", column(nodes_, [](const StepNode& node) { return node.times.data(); })},
        {"calls", column(nodes_, [](const StepNode& node) { return node.calls; })},
        {"module_calls", column(nodes_, [](const StepNode& node) { return node.module_calls; })},
        {"allocated_bytes",
         column(nodes_, [](const StepNode& node) { return node.allocated_bytes; })},
        {"peak_bytes", column(nodes_, [](const StepNode& node) { return node.peak_bytes; })},
    };
  }

  // Both are complete once the columns are made.
  Json files() const { return files_json(run_, files_); }
  Json functions() const {
    Json values = Json::array();
    for (const std::string& name : functions_.keys()) values.push_back(valid_utf8(name));
    return values;
  }

 private:
  Json parents() const {
    Json values = column(nodes_, [](const StepNode& node) { return node.parent; });
    values[0] = -1;
    return values;
  }
  const model::Frame* frame_of(const StepNode& node) const {
    return profile::row_at(run_.frames, node.frame);
  }
  std::int64_t file_of(const StepNode& node) {
    const model::Frame* frame = frame_of(node);
    if (frame == nullptr || profile::row_at(run_.files, frame->file) == nullptr) return -1;
    return files_.of(frame->file);
  }
  std::uint32_t line_of(const StepNode& node) const {
    const model::Frame* frame = frame_of(node);
    return frame == nullptr ? 0 : frame->line;
  }
  std::int64_t function_of(const StepNode& node) {
    const model::Frame* frame = frame_of(node);
    return frame == nullptr ? -1 : functions_.of(frame->function);
  }

  const model::Run& run_;
  const std::vector<StepNode>& nodes_;
  Places<model::FileId> files_;
  Places<std::string> functions_;
};

}  // namespace

Json step_tree_json(const model::Run& run, const StepTree& tree) {
  NodeColumns nodes(run, tree);
  Json columns = nodes.columns();
  return {{"steps", run.totals.counted_steps}, {"files", nodes.files()},
          {"functions", nodes.functions()},    {"modules", modules_json(run)},
          {"operators", operators_json(run)},  {"categories", categories_json()},
          {"nodes", std::move(columns)},       {"peak", peak_json(tree.peak)}};
}

}  // namespace sightline::exports
