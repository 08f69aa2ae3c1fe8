#include "collectors/torch/supervising.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <torch/csrc/autograd/python_variable.h>

#include <exception>
#include <memory>
#include <optional>

#include "collectors/torch/device_figures.h"
#include "collectors/torch/function_taps.h"
#include "collectors/torch/gradient_taps.h"
#include "collectors/torch/module_taps.h"
#include "collectors/torch/parameter_sweep.h"
#include "collectors/torch/part_runner.h"
#include "collectors/torch/result_watch.h"
#include "collectors/torch/thread_state.h"
#include "core/supervise/bus/kinds.h"
#include "core/supervise/statistics/parallel.h"

namespace nb = nanobind;

namespace sightline::torch_collector {
namespace {

// The bus is an object of the other extension module, which hands it over in a capsule.
supervise::Bus& bus_in(nb::handle bus) {
  const nb::object capsule = bus.attr("_native")();
  void* found = PyCapsule_GetPointer(capsule.ptr(), "sightline.Bus");
  if (found == nullptr) throw nb::python_error();
  return *static_cast<supervise::Bus*>(found);
}

// What goes wrong is kept for Python to tell: nothing is raised into the training.
class Sweep {
 public:
  explicit Sweep(nb::object bus) : sweep_(bus_in(bus)), bus_(std::move(bus)) {}

  void watch(nb::iterable entries) {
    sweep_.forget_all();
    for (const nb::handle entry : entries) {
      sweep_.watch(nb::cast<std::string>(entry[0]), nb::cast<std::string>(entry[1]),
                   nb::object(entry[2]).ptr());
    }
  }
  std::size_t before_step(nb::handle optimizer, std::uint64_t step, std::uint64_t epoch,
                          double gradient_scale) {
    std::size_t unknown = 0;
    harmlessly([&] {
      unknown = sweep_.before_step(optimizer.ptr(), {step, epoch, gradient_scale});
    });
    return unknown;
  }
  void after_step(nb::handle optimizer, std::uint64_t step, std::uint64_t epoch) {
    harmlessly([&] { sweep_.after_step(optimizer.ptr(), {step, epoch, 1}); });
  }
  std::vector<std::string> take_problems() { return std::exchange(problems_, {}); }
  ParameterSweep& sweep() { return sweep_; }

 private:
  template <typename Work>
  void harmlessly(Work work) {
    try {
      work();
    } catch (const std::exception& error) {
      if (problems_.empty()) problems_.emplace_back(error.what());
    }
  }

  ParameterSweep sweep_;
  nb::object bus_;  // outlives the sweep that uses it
  std::vector<std::string> problems_;
};

class Taps {
 public:
  explicit Taps(nb::object bus) : taps_(bus_in(bus)), bus_(std::move(bus)) {}

  ModuleTaps& taps() { return taps_; }
  void on_first_call(nb::object call) {
    taps_.on_first_call([call = std::move(call)](const std::string& path) {
      try {
        call(path);
      } catch (nb::python_error& error) {
        error.discard_as_unraisable("sightline");
      }
    });
  }
  nb::object output() {
    if (!taps_.output().defined()) return nb::none();
    return nb::steal(THPVariable_Wrap(taps_.output()));
  }

 private:
  ModuleTaps taps_;
  nb::object bus_;
};

// Gives the object up on any thread. When the interpreter has ended nothing is to be given up.
std::shared_ptr<const void> shared(nb::object object) {
  return {object.release().ptr(), [](PyObject* held) {
            if (Py_IsInitialized() == 0) return;
            const nb::gil_scoped_acquire acquire;
            Py_DECREF(held);
          }};
}

// What one training wants of the functions that its modules call.
class Functions {
 public:
  // Calls on_first(module, tensor, units).
  Functions(nb::object bus, nb::object on_first) {
    supervise::Bus& native = bus_in(bus);
    taps_.tell_to(std::make_shared<FunctionTaps::Receiver>(
        native, shared(std::move(bus)),
        [call = shared(std::move(on_first))](const supervise::MessageHead& head,
                                             const std::string& units) {
          const nb::handle held(static_cast<PyObject*>(const_cast<void*>(call.get())));
          try {
            held(head.module, head.tensor, units);
          } catch (nb::python_error& error) {
            error.discard_as_unraisable("sightline");
          }
        }));
  }
  void add(std::uintptr_t module, const std::string& path) { taps_.add(at(module), path); }
  void forget(std::uintptr_t module) { taps_.forget(at(module)); }
  void begin_step(std::uint64_t step, std::uint64_t epoch) { taps_.begin_step(step, epoch); }
  void watch(bool watching) { taps_.set_watching(watching); }
  void end() {
    taps_.set_watching(false);
    taps_.tell_to(nullptr);
  }
  std::uint64_t take_spent_ns() { return taps_.take_spent_ns(); }

 private:
  static const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

  FunctionTaps& taps_ = FunctionTaps::instance();
};

// The node of the forward operator that made an autograd node of this thread.
model::NodeId owner_of(Visit& visit, std::int64_t sequence) {
  model::NodeId node = model::kNone;
  if (!visit) return node;
  const record::OwnerRing* owners = visit.thread().owners();
  if (owners != nullptr) (void)owners->find(sequence, node);
  return node;
}

// Its lines, from the inside.
std::vector<std::pair<std::string, std::uint32_t>> places_of_node(std::int64_t sequence) {
  Visit visit;
  const model::NodeId node = owner_of(visit, sequence);
  if (node == model::kNone) return {};
  return visit.recorder().tree().places(node);
}

// The address of the innermost module that ran it; 0 if there is none.
std::uintptr_t module_of_node(std::int64_t sequence) {
  Visit visit;
  model::NodeId node = owner_of(visit, sequence);
  while (node != model::kNone) {
    const record::ContextTree::Node& known = visit.recorder().tree().node(node);
    if (known.module != model::kNone) {
      return reinterpret_cast<std::uintptr_t>(visit.recorder().modules().address(known.module));
    }
    node = known.parent;
  }
  return 0;
}

// (operator, places) and (operator, sequence); None if there is none.
nb::object bad_result() {
  const std::optional<BadResult> result = ResultWatch::instance().in_forward();
  return result ? nb::object(nb::make_tuple(result->operator_name, result->places)) : nb::none();
}
nb::object bad_gradient() {
  const std::optional<BadResult> result = ResultWatch::instance().in_backward();
  return result ? nb::object(nb::make_tuple(result->operator_name, result->sequence)) : nb::none();
}

}  // namespace

void bind_supervising(nb::module_& module) {
  supervise::set_part_runner(&run_parts);
  nb::class_<Sweep>(module, "ParameterSweep")
      .def(nb::init<nb::object>(), nb::arg("bus"))
      .def("watch", &Sweep::watch, nb::arg("entries"))
      .def("before_step", &Sweep::before_step, nb::arg("optimizer"), nb::arg("step"),
           nb::arg("epoch"), nb::arg("gradient_scale") = 1.0)
      .def("after_step", &Sweep::after_step, nb::arg("optimizer"), nb::arg("step"),
           nb::arg("epoch"))
      .def("set_update_budget",
           [](Sweep& self, std::uint64_t bytes) { self.sweep().set_update_budget(bytes); })
      .def("copied_bytes", [](Sweep& self) { return self.sweep().copied_bytes(); })
      .def("sampled_one_of", [](Sweep& self) { return self.sweep().sampled_one_of(); })
      .def("take_spent_ns", [](Sweep& self) { return self.sweep().take_spent_ns(); })
      .def("take_problems", &Sweep::take_problems);
  nb::class_<Taps>(module, "ModuleTaps")
      .def(nb::init<nb::object>(), nb::arg("bus"))
      .def("add", [](Taps& self, const std::string& path) { return self.taps().add(path); })
      .def("on_first_call", &Taps::on_first_call, nb::arg("call"))
      .def("begin_step", [](Taps& self, std::uint64_t step,
                            std::uint64_t epoch) { self.taps().begin_step(step, epoch); })
      .def(
          "tell",
          [](Taps& self, std::size_t index, nb::handle told_module, nb::handle output) {
            self.taps().tell(index, told_module.ptr(), output.ptr());
          },
          nb::arg("index"), nb::arg("module"), nb::arg("output").none())
      .def("output", &Taps::output)
      .def("earlier_nodes", [](Taps& self) { return self.taps().earlier_nodes(); })
      .def("take_spent_ns", [](Taps& self) { return self.taps().take_spent_ns(); });
  module.def("make_figures_of_all", &make_figures_of_all, nb::arg("all"));
  nb::class_<Functions>(module, "FunctionTaps")
      .def(nb::init<nb::object, nb::object>(), nb::arg("bus"), nb::arg("on_first"))
      .def("add", &Functions::add, nb::arg("module"), nb::arg("path"))
      .def("forget", &Functions::forget, nb::arg("module"))
      .def("begin_step", &Functions::begin_step, nb::arg("step"), nb::arg("epoch"))
      .def("watch", &Functions::watch, nb::arg("watching"))
      .def("end", &Functions::end)
      .def("take_spent_ns", &Functions::take_spent_ns);
  nb::class_<GradientTaps>(module, "GradientTaps")
      .def("__init__",
           [](GradientTaps* made, nb::object bus) {
             supervise::Bus& native = bus_in(bus);
             new (made) GradientTaps(native, shared(std::move(bus)));
           })
      .def(
          "tap",
          [](GradientTaps& self, nb::handle tensor, const std::string& told_module,
             const std::string& name, std::uint64_t step, std::uint64_t epoch,
             const std::string& tag) {
            if (!THPVariable_Check(tensor.ptr())) throw nb::type_error("a tensor was expected");
            self.tap(THPVariable_Unpack(tensor.ptr()),
                     {supervise::kLayerGradientTopic, told_module, name, step, epoch, tag});
          },
          nb::arg("output"), nb::kw_only(), nb::arg("module"), nb::arg("tensor"), nb::arg("step"),
          nb::arg("epoch"), nb::arg("tag"))
      .def("end", &GradientTaps::end);
  module.def("places_of_node", &places_of_node, nb::arg("sequence"));
  module.def("module_of_node", &module_of_node, nb::arg("sequence"));
  module.def("watch_results",
             [](bool watching) { ResultWatch::instance().set_watching(watching); });
  module.def("bad_result", &bad_result);
  module.def("bad_gradient", &bad_gradient);
  module.def("take_results_spent_ns", [] { return ResultWatch::instance().take_spent_ns(); });
}

}  // namespace sightline::torch_collector
