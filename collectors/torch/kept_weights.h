// Weights that are written to, kept just before that happens: a copy of all would double the memory
// of a large model.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <cstddef>
#include <vector>

#include "collectors/torch/kept_state.h"
#include "core/base/memory_apart.h"

namespace sightline::torch_collector {

class KeptWeights {
 public:
  explicit KeptWeights(const std::vector<at::Tensor>& weights);
  ~KeptWeights() { watch(false); }
  KeptWeights(const KeptWeights&) = delete;
  KeptWeights& operator=(const KeptWeights&) = delete;

  // Operators of the calling thread, one watch at a time.
  void watch(bool watching);
  // An operator starts.
  void keep_what_changes(const at::RecordFunction& fn);
  void restore();

 private:
  using Places = std::vector<std::size_t>;

  const Places& written_by(const at::RecordFunction& fn);
  void keep(const at::Tensor& written);

  HashMultimapApart<const void*, at::Tensor> weights_;  // not written to yet, by storage
  std::vector<KeptContents> kept_;
  // By where the name of an operator lies: that of one which is there stays where it is.
  HashMapApart<const char*, Places> written_;
  at::CallbackHandle handle_ = at::INVALID_CALLBACK_HANDLE;
};

}  // namespace sightline::torch_collector
