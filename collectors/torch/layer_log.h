// The calls of modules, in the order in which they start, with who called whom. Told by hooks that
// torch has for all modules at once: none is put on a module. Not safe for several threads, but for
// what is open, of which each thread has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/measure/operator_call.h"

namespace sightline::torch_collector {

class LayerLog {
 public:
  LayerLog();
  LayerLog(const LayerLog&) = delete;
  LayerLog& operator=(const LayerLog&) = delete;

  void clear();
  ListApart<measure::LayerCall> take();
  const measure::LayerCall& call(std::uint32_t layer) const { return calls_[layer]; }

  void start(model::ModuleId module, std::uint32_t line);
  // A call that is repeated to have its results again (checkpointing) is no new layer: it is found
  // near to the layer whose results are wanted.
  void start_again(model::ModuleId module, std::uint32_t near);
  // Layers inside that an exception ended are ended too. Null if it is not open, or was repeated.
  measure::LayerCall* end(model::ModuleId module);

  // So much was alive at most while the backward pass ran through a layer: through those around it
  // too.
  void note_backward_peak(std::uint32_t layer, std::uint64_t peak_bytes);

  // The call of the model itself; model::kNone if there was none.
  std::uint32_t outermost() const { return calls_.size() > 1 ? 1 : model::kNone; }
  // Of the calling thread: the innermost open layer, and how many are open.
  std::uint32_t current() const;
  std::size_t open() const;

 private:
  struct Open;
  struct OpenLayers;
  OpenLayers& open_layers() const;
  bool holds(std::uint32_t outer, std::uint32_t inner) const;

  ListApart<measure::LayerCall> calls_;
  std::uint64_t run_ = 0;  // what a thread has open holds for one run of one log
};

}  // namespace sightline::torch_collector
