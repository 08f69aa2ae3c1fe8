// The extension module sightline._torch: what Python has to tell the collector.
#include <nanobind/nanobind.h>

#include "collectors/python/frames.h"
#include "collectors/torch/collector.h"
#include "collectors/torch/kept_state.h"
#include "collectors/torch/measuring.h"
#include "collectors/torch/observers.h"
#include "collectors/torch/optimizer.h"
#include "collectors/torch/supervising.h"
#include "collectors/torch/thread_state.h"

namespace nb = nanobind;

namespace {

using sightline::torch_collector::Collector;
using sightline::torch_collector::Visit;

void module_mode_changed(nb::handle module, bool training) {
  Visit visit;
  if (!visit) return;
  visit.recorder().modules().set_training(module.ptr(), training);
  if (training) visit.thread().training_resumed();
}

void tell_batch_size(std::uint64_t size) {
  Visit visit;
  if (visit) visit.thread().steps().tell_batch_size(size);
}

}  // namespace

NB_MODULE(_torch, module) {
  // A bus may hold what holds the bus, which Python cannot see; that is no matter for its user.
  nb::set_leak_warnings(false);
  module.attr("torch_version") = SIGHTLINE_TORCH_VERSION;
  module.attr("frame_reader") = sightline::python::reader_name();
  module.def("load", [](nb::handle module_call) {
    Collector::instance().set_module_call(module_call.ptr());
    sightline::record::register_collector(&Collector::instance());
  });
  module.def("optimizer_stepped", [](nb::handle optimizer, nb::handle, nb::handle) {
    sightline::torch_collector::optimizer_stepped(optimizer.ptr());
  });
  module.def("step", &sightline::torch_collector::step_marked);
  module.def("module_mode_changed", &module_mode_changed);
  module.def("tell_batch_size", &tell_batch_size);
  module.def("interpreter_entries", [] { return Collector::instance().interpreter_entries(); });

  sightline::torch_collector::bind_kept_state(module);
  sightline::torch_collector::bind_measuring(module);
  sightline::torch_collector::bind_supervising(module);

  // For benchmarks: each part of the cost by itself.
  module.def("set_observing", [](bool on) { Collector::instance().set_observing(on); });
  module.def("set_memory", [](bool on) { Collector::instance().set_memory(on); });
  module.def("set_empty_observer", &sightline::torch_collector::set_empty_observer);
  module.def("set_unobserved_steps", [](bool on) {
    if (auto* recorder = Collector::instance().recorder()) recorder->allow_unobserved_steps(on);
  });
}
