#include "collectors/torch/layer_log.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "collectors/torch/memory_watch.h"
#include "core/base/clock.h"

namespace sightline::torch_collector {
namespace {

std::uint64_t next_run() {
  static std::atomic<std::uint64_t> runs{0};
  return ++runs;
}

}  // namespace

struct LayerLog::Open {
  std::uint32_t layer = model::kNone;
  model::ModuleId module = model::kNone;
  bool again = false;
  std::uint64_t outer_peak = 0;
  std::uint64_t start_ns = 0;
};

struct LayerLog::OpenLayers {
  std::uint64_t run = 0;
  std::vector<Open> stack;
};

LayerLog::LayerLog() { clear(); }

void LayerLog::clear() {
  calls_.assign(1, {});
  run_ = next_run();
}

ListApart<measure::LayerCall> LayerLog::take() {
  ListApart<measure::LayerCall> taken = std::move(calls_);
  clear();
  return taken;
}

LayerLog::OpenLayers& LayerLog::open_layers() const {
  thread_local OpenLayers layers;
  if (layers.run != run_) {
    layers.run = run_;
    layers.stack.clear();
  }
  return layers;
}

void LayerLog::start(model::ModuleId module, std::uint32_t line) {
  measure::LayerCall call;
  call.parent = current();
  call.module = module;
  call.line = line;
  calls_.push_back(std::move(call));
  const auto layer = static_cast<std::uint32_t>(calls_.size() - 1);
  const std::uint64_t outer_peak = MemoryWatch::instance().begin_part();
  open_layers().stack.push_back({layer, module, false, outer_peak, Clock::now_ns()});
}

void LayerLog::start_again(model::ModuleId module, std::uint32_t near) {
  const std::uint32_t around = open() > 0 ? current() : near;
  std::uint32_t layer = model::kNone;
  for (auto id = static_cast<std::uint32_t>(calls_.size()); id-- > 1;) {
    if (calls_[id].module != module) continue;
    if (layer == model::kNone) layer = id;
    if (holds(around, id) || holds(id, around)) {
      layer = id;
      break;
    }
  }
  open_layers().stack.push_back({layer, module, true, MemoryWatch::instance().begin_part(), 0});
}

measure::LayerCall* LayerLog::end(model::ModuleId module) {
  const std::uint64_t now_ns = Clock::now_ns();
  std::vector<Open>& stack = open_layers().stack;
  while (!stack.empty()) {
    const Open ended = stack.back();
    stack.pop_back();
    const std::uint64_t peak_bytes = MemoryWatch::instance().end_part(ended.outer_peak);
    if (!ended.again) {
      calls_[ended.layer].time_ns = now_ns - ended.start_ns;
      calls_[ended.layer].peak_bytes = peak_bytes;
    }
    if (ended.module == module) return ended.again ? nullptr : &calls_[ended.layer];
  }
  return nullptr;
}

void LayerLog::note_backward_peak(std::uint32_t layer, std::uint64_t peak_bytes) {
  for (; layer != model::kNone; layer = calls_[layer].parent) {
    calls_[layer].peak_bytes = std::max(calls_[layer].peak_bytes, peak_bytes);
  }
}

std::uint32_t LayerLog::current() const {
  const std::vector<Open>& stack = open_layers().stack;
  return stack.empty() ? model::kNone : stack.back().layer;
}

std::size_t LayerLog::open() const { return open_layers().stack.size(); }

bool LayerLog::holds(std::uint32_t outer, std::uint32_t inner) const {
  while (inner > outer) inner = calls_[inner].parent;
  return inner == outer && outer != model::kNone;
}

}  // namespace sightline::torch_collector
