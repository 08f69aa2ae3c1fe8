#include "core/profile/call_tree.h"

#include <algorithm>

namespace sightline::profile {

CallTree::CallTree(const model::Run& run) : run_(run) {
  const std::size_t size = std::max<std::size_t>(run.nodes.size(), 1);
  parents_.resize(size, model::kNone);
  state_.resize(size, 0);
  state_[model::kNone] = 2;
  order_.reserve(size - 1);
  for (model::NodeId node = 1; node < size; ++node) {
    const model::NodeId parent = run.nodes[node].parent;
    if (parent < size) {
      parents_[node] = parent;
    } else {
      ++mended_;
    }
  }
  for (model::NodeId node = 1; node < size; ++node) order_from(node);
}

void CallTree::order_from(model::NodeId node) {
  std::vector<model::NodeId> chain;
  while (state_[node] == 0) {
    state_[node] = 1;
    chain.push_back(node);
    node = parents_[node];
  }
  if (state_[node] == 1) {  // the chain came back to itself: cut it where it closes
    parents_[chain.back()] = model::kNone;
    ++mended_;
  }
  for (const model::NodeId placed : chain) state_[placed] = 2;
  order_.insert(order_.end(), chain.rbegin(), chain.rend());
}

const model::Frame* CallTree::frame(model::NodeId node) const {
  return node == model::kNone ? nullptr : row_at(run_.frames, run_.nodes[node].frame);
}

const model::File* CallTree::file(model::NodeId node) const {
  const model::Frame* at = frame(node);
  return at == nullptr ? nullptr : row_at(run_.files, at->file);
}

model::ModuleId CallTree::module(model::NodeId node) const {
  if (node == model::kNone) return model::kNone;
  const model::ModuleId id = run_.nodes[node].module;
  return row_at(run_.modules, id) == nullptr ? model::kNone : id;
}

bool CallTree::in_project(model::NodeId node) const {
  const model::File* at = file(node);
  return at != nullptr && at->role != model::FileRole::Library;
}

}  // namespace sightline::profile
