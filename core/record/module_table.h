// The module instances of the program, by address while they live and by id for ever.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/export.h"
#include "core/base/stable_vector.h"
#include "core/model/run.h"

namespace sightline::record {

class SIGHTLINE_API ModuleTable {
 public:
  ModuleTable();

  struct Entry {
    const void* address = nullptr;
    model::ModuleId parent = model::kNone;
    std::string name;  // the attribute of the parent, or the class for a root
    std::string type;
    std::uint64_t parameter_bytes = 0;
    std::uint64_t buffer_bytes = 0;
    std::uint64_t gradient_bytes = 0;
    bool training = true;
  };

  // Any thread; these take a lock.
  model::ModuleId find(const void* address) const;  // kNone if unknown
  bool is_root(model::ModuleId id) const;
  // A module like one that is gone (same holder, name and type) takes its id: a program that makes
  // modules in every step has no more of them than one that does not.
  model::ModuleId add(const Entry& entry);
  // A root that turns out to be part of a larger one.
  void set_parent(model::ModuleId id, model::ModuleId parent, const std::string& name);
  void forget(const void* address);
  void set_training(const void* address, bool training);
  // A parameter of the module, of so many bytes, has a gradient.
  void add_gradient(const void* address, std::uint64_t bytes);

  // Whether the instance is in training mode, and whether a call in that mode was seen. No lock.
  bool training(model::ModuleId id) const;
  bool has_trained(model::ModuleId id) const;
  void note_trained(model::ModuleId id);

  const void* address(model::ModuleId id) const;
  // Whether it is the first root that has parameters, the one whose paths have no prefix. No lock.
  bool is_model(model::ModuleId id) const {
    return id != model::kNone && id == model_.load(std::memory_order_relaxed);
  }

  // Changes when an address was forgotten, so that caches by address can be emptied. No lock.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

  // All modules, with their paths as they are known now; empty if nothing changed.
  std::vector<model::Module> take_changed();

 private:
  struct Mode {
    std::atomic<bool> training{true};
    std::atomic<bool> has_trained{false};
    std::atomic<const void*> address{nullptr};
    Mode() = default;
    Mode(const Mode&) {}
    Mode& operator=(const Mode& other) {
      training = other.training.load();
      has_trained = other.has_trained.load();
      address = other.address.load();
      return *this;
    }
  };

  model::ModuleId take_dead(const Entry& entry);
  std::string path_of(model::ModuleId id, const std::vector<std::string>& root_paths) const;
  std::vector<std::string> name_roots() const;
  model::ModuleId find_model() const;

  StableVector<Mode> modes_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<model::ModuleId> model_{model::kNone};

  mutable std::mutex mutex_;  // guards all below, and appending to modes_
  std::vector<Entry> entries_;
  std::unordered_map<const void*, model::ModuleId> by_address_;
  std::vector<model::ModuleId> dead_;
  bool changed_ = false;
};

}  // namespace sightline::record
