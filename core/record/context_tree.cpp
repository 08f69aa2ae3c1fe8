#include "core/record/context_tree.h"

#include <functional>

namespace sightline::record {
namespace {

// A node costs this much in all tables together, its share of the hash maps included.
constexpr std::size_t kBytesPerNode = 160;

std::size_t mix(std::size_t a, std::size_t b) { return a * 0x9E3779B97F4A7C15u + b; }

}  // namespace

std::size_t ContextTree::FrameKeyHash::operator()(const FrameKey& key) const {
  return mix(mix(std::hash<std::string>()(key.function), key.file), key.line);
}

std::size_t ContextTree::NodeKeyHash::operator()(const NodeKey& key) const {
  return mix(mix(mix(0, key.parent), key.frame), key.module);
}

ContextTree::ContextTree(Budget& budget) : budget_(budget) { nodes_.append(Node{}); }

model::FileId ContextTree::file_id(const std::string& name) {
  const auto [entry, is_new] =
      files_.try_emplace(name, static_cast<model::FileId>(files_.size() + 1));
  if (is_new) {
    model::File file;
    file.id = entry->second;
    file.absolute_path = name;
    new_files_.push_back(std::move(file));
  }
  return entry->second;
}

model::FrameId ContextTree::frame_id(const ResolvedFrame& frame) {
  const model::FileId file = file_id(frame.file);
  const auto [entry, is_new] = frames_.try_emplace(FrameKey{file, frame.line, frame.function},
                                                   static_cast<model::FrameId>(frames_.size() + 1));
  if (is_new) new_frames_.push_back({entry->second, file, frame.function, frame.line});
  return entry->second;
}

model::NodeId ContextTree::child(model::NodeId parent, const ResolvedFrame& frame,
                                 model::ModuleId module) {
  const std::lock_guard lock(mutex_);
  const NodeKey key{parent, frame_id(frame), module};
  if (const auto found = children_.find(key); found != children_.end()) return found->second;
  if (nodes_.size() == nodes_.capacity() || !budget_.reserve(kBytesPerNode)) {
    ++dropped_nodes_;
    return parent;
  }
  const Node& above = nodes_[parent];
  const auto id = static_cast<model::NodeId>(nodes_.size());
  nodes_.append({parent, above.depth + 1, key.frame, module,
                 above.in_module || module != model::kNone, above.recompute || frame.recompute});
  children_.emplace(key, id);
  new_nodes_.push_back({id, parent, key.frame, module});
  return id;
}

model::NodeId ContextTree::common_ancestor(model::NodeId a, model::NodeId b) const {
  while (a != b) {
    const Node& node_a = nodes_[a];
    const Node& node_b = nodes_[b];
    if (node_a.depth >= node_b.depth) a = node_a.parent;
    if (node_b.depth >= node_a.depth) b = node_b.parent;
  }
  return a;
}

std::vector<std::pair<std::string, std::uint32_t>> ContextTree::places(model::NodeId id) const {
  std::unordered_map<model::FrameId, const FrameKey*> frames;
  std::unordered_map<model::FileId, const std::string*> files;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, frame] : frames_) frames[frame] = &key;
  for (const auto& [name, file] : files_) files[file] = &name;
  std::vector<std::pair<std::string, std::uint32_t>> places;
  for (; id != model::kNone; id = nodes_[id].parent) {
    const auto frame = frames.find(nodes_[id].frame);
    if (frame == frames.end()) continue;
    places.emplace_back(*files.at(frame->second->file), frame->second->line);
  }
  return places;
}

void ContextTree::take_new(model::Delta& delta) {
  const std::lock_guard lock(mutex_);
  delta.files = std::exchange(new_files_, {});
  delta.frames = std::exchange(new_frames_, {});
  delta.nodes = std::exchange(new_nodes_, {});
}

std::uint64_t ContextTree::dropped_nodes() const {
  const std::lock_guard lock(mutex_);
  return dropped_nodes_;
}

}  // namespace sightline::record
