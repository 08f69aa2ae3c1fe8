#include "core/record/module_table.h"

#include <iterator>
#include <map>

namespace sightline::record {

ModuleTable::ModuleTable() : entries_(1) { modes_.append(Mode{}); }

model::ModuleId ModuleTable::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  return found == by_address_.end() ? model::kNone : found->second;
}

model::ModuleId ModuleTable::add(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  model::ModuleId id = take_dead(entry);
  if (id == model::kNone) {
    if (entries_.size() == modes_.capacity()) return model::kNone;
    id = static_cast<model::ModuleId>(entries_.size());
    entries_.push_back(entry);
    modes_.append(Mode{});
  }
  Mode& mode = modes_[id];
  mode.training = entry.training;
  mode.address = entry.address;
  by_address_[entry.address] = id;
  changed_ = true;
  if (model_ == model::kNone) model_ = find_model();
  return id;
}

model::ModuleId ModuleTable::take_dead(const Entry& entry) {
  for (auto id = dead_.rbegin(); id != dead_.rend(); ++id) {
    Entry& dead = entries_[*id];
    if (dead.parent != entry.parent || dead.name != entry.name || dead.type != entry.type) continue;
    const model::ModuleId found = *id;
    dead_.erase(std::next(id).base());
    dead = entry;
    return found;
  }
  return model::kNone;
}

void ModuleTable::set_parent(model::ModuleId id, model::ModuleId parent, const std::string& name) {
  const std::lock_guard lock(mutex_);
  for (model::ModuleId above = parent; above != model::kNone; above = entries_[above].parent) {
    if (above == id) return;  // a module that holds its own holder stays where it is
  }
  entries_[id].parent = parent;
  entries_[id].name = name;
  changed_ = true;
  model_ = find_model();
}

void ModuleTable::forget(const void* address) {
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return;
  dead_.push_back(found->second);
  by_address_.erase(found);
  generation_.fetch_add(1, std::memory_order_release);
}

void ModuleTable::set_training(const void* address, bool training) {
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  if (found != by_address_.end()) modes_[found->second].training = training;
}

void ModuleTable::add_gradient(const void* address, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = by_address_.find(address);
  if (found == by_address_.end()) return;
  entries_[found->second].gradient_bytes += bytes;
  changed_ = true;
}

bool ModuleTable::training(model::ModuleId id) const {
  return modes_[id].training.load(std::memory_order_relaxed);
}

bool ModuleTable::has_trained(model::ModuleId id) const {
  return modes_[id].has_trained.load(std::memory_order_relaxed);
}

void ModuleTable::note_trained(model::ModuleId id) {
  modes_[id].has_trained.store(true, std::memory_order_relaxed);
}

const void* ModuleTable::address(model::ModuleId id) const {
  return modes_[id].address.load(std::memory_order_relaxed);
}

bool ModuleTable::is_root(model::ModuleId id) const {
  const std::lock_guard lock(mutex_);
  return entries_[id].parent == model::kNone;
}

model::ModuleId ModuleTable::find_model() const {
  model::ModuleId model = model::kNone;
  for (model::ModuleId id = 1; id < entries_.size(); ++id) {
    if (entries_[id].parameter_bytes == 0) continue;
    model::ModuleId root = id;
    while (entries_[root].parent != model::kNone) root = entries_[root].parent;
    if (model == model::kNone || root < model) model = root;
  }
  return model;
}

// The model's paths need no prefix. Other roots go by their class, numbered from the second of a
// class on.
std::vector<std::string> ModuleTable::name_roots() const {
  const model::ModuleId model = model_.load();
  std::vector<std::string> names(entries_.size());
  std::map<std::string, int> seen;
  for (model::ModuleId id = 1; id < entries_.size(); ++id) {
    if (entries_[id].parent != model::kNone || id == model) continue;
    const int count = ++seen[entries_[id].type];
    names[id] = entries_[id].type + (count > 1 ? "_" + std::to_string(count) : "");
  }
  return names;
}

std::string ModuleTable::path_of(model::ModuleId id,
                                 const std::vector<std::string>& root_paths) const {
  if (entries_[id].parent == model::kNone) return root_paths[id];
  std::string above = path_of(entries_[id].parent, root_paths);
  return above.empty() ? entries_[id].name : above + "." + entries_[id].name;
}

std::vector<model::Module> ModuleTable::take_changed() {
  const std::lock_guard lock(mutex_);
  std::vector<model::Module> modules;
  if (!changed_) return modules;
  changed_ = false;
  const std::vector<std::string> root_paths = name_roots();
  for (model::ModuleId id = 1; id < entries_.size(); ++id) {
    const Entry& entry = entries_[id];
    modules.push_back({id, entry.parent, path_of(id, root_paths), entry.type, entry.parameter_bytes,
                       entry.buffer_bytes, entry.gradient_bytes});
  }
  return modules;
}

}  // namespace sightline::record
