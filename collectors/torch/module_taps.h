// Tells the bus what modules give out. A forward hook calls tell() with the number of its module
// and the output, and that is all that happens in Python. Needs the interpreter's lock, which is
// given up while receivers work on large tensors.
#pragma once

#include <ATen/core/Tensor.h>
#include <Python.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/torch/torch_tensor.h"
#include "core/supervise/bus/bus.h"

namespace sightline::torch_collector {

class ModuleTaps {
 public:
  using FirstCall = std::function<void(const std::string& path)>;

  explicit ModuleTaps(supervise::Bus& bus) : bus_(bus) {}

  // The number of the module.
  std::size_t add(const std::string& path);
  // Called before the first output of each module is told, within the call that made it.
  void on_first_call(FirstCall call) { first_call_ = std::move(call); }

  void begin_step(std::uint64_t step, std::uint64_t epoch);
  // Does not throw.
  void tell(std::size_t index, PyObject* module, PyObject* output) noexcept;

  // While an output is told: the autograd nodes of those told before it in the step, by their
  // sequence numbers, and the output itself. Undefined at other times.
  const at::Tensor& output() const { return output_; }
  const std::vector<std::uint64_t>& earlier_nodes() const { return nodes_; }

  std::uint64_t take_spent_ns() { return std::exchange(spent_ns_, 0); }

 private:
  struct Tap {
    std::string path;
    bool called = false;
    std::vector<supervise::Message> messages;  // one for each tensor of the output
  };

  void tell_tensors(Tap& tap, PyObject* module, PyObject* output);
  void publish(Tap& tap, std::size_t index, std::size_t count, const char* tag,
               const at::Tensor& tensor);
  static void collect(PyObject* output, std::vector<at::Tensor>& tensors, int depth);

  supervise::Bus& bus_;
  std::deque<Tap> taps_;
  FirstCall first_call_;
  std::uint64_t step_ = 0;
  std::uint64_t epoch_ = 0;
  std::uint64_t spent_ns_ = 0;
  at::Tensor output_;
  std::vector<std::uint64_t> nodes_;
};

}  // namespace sightline::torch_collector
