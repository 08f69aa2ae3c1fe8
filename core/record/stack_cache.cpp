#include "core/record/stack_cache.h"

namespace sightline::record {
namespace {

constexpr std::size_t kFirstLinks = 1024;

std::size_t hash_of(model::NodeId parent, model::ModuleId module, const void* code,
                    std::int32_t offset) {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(code);
  hash = hash * 0x9E3779B97F4A7C15u + parent;
  hash = hash * 0x9E3779B97F4A7C15u + static_cast<std::uint32_t>(offset);
  hash = hash * 0x9E3779B97F4A7C15u + module;
  return static_cast<std::size_t>(hash ^ (hash >> 29));
}

}  // namespace

StackCache::StackCache(ContextTree& tree, ModuleTable& modules, FrameResolver& resolver,
                       Budget& budget)
    : tree_(tree),
      modules_(modules),
      resolver_(resolver),
      budget_(budget),
      links_(kFirstLinks),
      replay_(budget) {
  open_calls_.reserve(kMaxStackDepth);
}

StackCache::~StackCache() { budget_.release(reserved_bytes_); }

model::NodeId StackCache::find_child(model::NodeId parent, const RawFrame& frame,
                                     const Stack& stack) {
  const model::ModuleId module = frame.module != nullptr ? module_id(frame, stack) : model::kNone;
  const model::NodeId node = follow(parent, frame, module);
  replay_.learn({frame.code, frame.module, frame.fingerprint, frame.offset, parent, node});
  return node;
}

model::NodeId StackCache::follow(model::NodeId parent, const RawFrame& frame,
                                 model::ModuleId module) {
  const std::size_t mask = links_.size() - 1;
  for (std::size_t slot = hash_of(parent, module, frame.code, frame.offset) & mask;
       links_[slot].code != nullptr; slot = (slot + 1) & mask) {
    const Link& link = links_[slot];
    if (link.code == frame.code && link.parent == parent && link.offset == frame.offset &&
        link.module == module && link.fingerprint == frame.fingerprint) {
      return link.node;
    }
  }
  return learn(parent, frame, module);
}

model::NodeId StackCache::learn(model::NodeId parent, const RawFrame& frame,
                                model::ModuleId module) {
  const model::NodeId node = tree_.child(parent, resolver_.resolve(frame), module);
  if ((link_count_ + 1) * 2 > links_.size()) {
    const std::size_t added_bytes = links_.size() * sizeof(Link);
    if (!budget_.reserve(added_bytes)) return node;  // it will be asked for again: slow, not wrong
    reserved_bytes_ += added_bytes;
    std::vector<Link> old(links_.size() * 2);
    old.swap(links_);
    for (const Link& link : old) {
      if (link.code != nullptr) insert(link);
    }
  }
  ++link_count_;
  insert({parent, module, frame.code, frame.fingerprint, frame.offset, node});
  return node;
}

void StackCache::insert(const Link& link) {
  const std::size_t mask = links_.size() - 1;
  std::size_t slot = hash_of(link.parent, link.module, link.code, link.offset) & mask;
  while (links_[slot].code != nullptr) slot = (slot + 1) & mask;
  links_[slot] = link;
}

model::ModuleId StackCache::module_id(const RawFrame& frame, const Stack& stack) {
  const auto found = module_ids_.find(frame.module);
  if (found != module_ids_.end()) return found->second;
  const model::ModuleId id = resolver_.register_module(frame.module, outermost_module(stack));
  module_ids_.emplace(frame.module, id);
  return id;
}

const void* StackCache::outermost_module(const Stack& stack) const {
  for (std::size_t depth = 0; depth < stack.count; ++depth) {
    const RawFrame& frame =
        depth < stack.known ? last_plain_.frames[depth].frame : scratch_[stack.count - 1 - depth];
    if (frame.module != nullptr) return frame.module;
  }
  return nullptr;
}

void StackCache::refresh_if_modules_died() {
  const std::uint64_t generation = modules_.generation();
  if (generation == module_generation_) return;
  module_generation_ = generation;
  module_ids_.clear();
  replay_.forget();
  last_plain_.count = 0;
  last_grafted_.count = 0;
  open_calls_.clear();
}

}  // namespace sightline::record
