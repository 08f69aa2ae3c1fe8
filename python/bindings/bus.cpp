#include "core/supervise/bus/bus.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "python/bindings/core.h"
#include "python/bindings/errors.h"
#include "python/bindings/shared_object.h"
#include "python/bindings/tensor_view.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using supervise::Bundle;
using supervise::Bus;
using supervise::Message;
using supervise::Missing;
using supervise::Payload;
using supervise::Subscription;
using supervise::Tensor;

// The bus is entered without the interpreter's lock, which is taken only to call receivers and to
// drop objects, so that neither lock waits for the other.
//
// Whatever Python publishes: mostly a tensor, whose numbers native receivers read where they are.
// Who publishes it sees to it that they stay.
class PythonSource final : public supervise::TensorSource,
                           public std::enable_shared_from_this<PythonSource> {
 public:
  explicit PythonSource(nb::object object) : object_(shared(std::move(object))) {}

  const supervise::TensorView* view() const override {
    const nb::gil_scoped_acquire acquire;
    if (array_ == nullptr) read();
    return array_ == nullptr ? nullptr : &view_;
  }
  std::shared_ptr<const supervise::TensorSource> kept() const override {
    return shared_from_this();
  }
  void* new_python_reference() const override { return nb::object(*object_).release().ptr(); }

 private:
  void read() const try {
    nb::object plain = *object_;
    if (nb::hasattr(plain, "detach")) plain = plain.attr("detach")();
    if (nb::hasattr(plain, "cpu")) plain = plain.attr("cpu")();
    Array array;
    if (!nb::try_cast(plain, array)) return;
    view_ = view_of(array);
    array_ = shared(std::move(plain));
  } catch (const std::exception&) {
    array_.reset();  // of a type that the engine does not read
  }

  std::shared_ptr<nb::object> object_;
  mutable std::shared_ptr<nb::object> array_;  // what the view is of
  mutable supervise::TensorView view_;
};

Payload payload_of(nb::object object) {
  if (object.is_none()) return std::monostate();
  if (PyFloat_CheckExact(object.ptr())) return nb::cast<double>(object);
  return Tensor{{}, {}, std::make_shared<PythonSource>(std::move(object))};
}

nb::object object_of(const Payload& payload) {
  if (const auto* number = std::get_if<double>(&payload)) return nb::float_(*number);
  const auto* tensor = std::get_if<Tensor>(&payload);
  if (tensor == nullptr || tensor->source == nullptr) return nb::none();
  void* object = tensor->source->new_python_reference();
  return object == nullptr ? nb::none() : nb::steal(static_cast<PyObject*>(object));
}

nb::tuple arguments_of(const Bundle& bundle) {
  nb::dict data;
  for (const Message& message : bundle.messages) {
    data[message.topic.c_str()] = object_of(message.payload);
  }
  return nb::make_tuple(bundle.head.module, bundle.head.tensor, bundle.head.step, bundle.head.epoch,
                        bundle.head.tag, bundle.complete, data);
}

// The bus keeps what receivers throw from the training. Ctrl-C is the program's, whatever code it
// happens to meet, so it is given again when that code has ended.
template <typename... Arguments>
nb::object called(const nb::object& function, Arguments&&... arguments) {
  try {
    return function(std::forward<Arguments>(arguments)...);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
    PyErr_SetInterrupt();
    return nb::none();
  }
}

Missing missing_of(const std::string& name) {
  if (name == "drop") return Missing::Drop;
  if (name == "partial") return Missing::Partial;
  if (name == "warn") return Missing::Warn;
  throw nb::value_error("missing is 'drop', 'partial' or 'warn'");
}

template <typename Value>
Value checked(Result<Value> result) {
  if (!result) raise(result.error());
  return std::move(result).value();
}

Subscription subscription_of(const std::string& name, const std::vector<std::string>& topics,
                             const std::optional<std::string>& tag, std::uint64_t every,
                             bool synchronised, bool by_module, const std::string& missing,
                             std::uint64_t wait_steps) {
  return {name, topics, tag, every, synchronised, by_module, missing_of(missing), wait_steps, {}};
}

Bus::SubscriptionId subscribe(Bus& bus, nb::object receiver, const std::string& name,
                              const std::vector<std::string>& topics,
                              const std::optional<std::string>& tag, std::uint64_t every,
                              bool synchronised, bool by_module, const std::string& missing,
                              std::uint64_t wait_steps) {
  Subscription wanted =
      subscription_of(name, topics, tag, every, synchronised, by_module, missing, wait_steps);
  Result<Bus::SubscriptionId> made = [&] {
    Bus::Receiver call = [held = shared(std::move(receiver))](const Bundle& bundle) {
      const nb::gil_scoped_acquire acquire;
      called(*held, *arguments_of(bundle));
    };
    const nb::gil_scoped_release release;
    return bus.subscribe(std::move(wanted), std::move(call));
  }();
  return checked(std::move(made));
}

Bus::SubscriptionId derive(Bus& bus, const std::string& topic, nb::object compute,
                           const std::vector<std::string>& topics,
                           const std::optional<std::string>& tag, std::uint64_t every,
                           bool synchronised, bool by_module, const std::string& missing,
                           std::uint64_t wait_steps) {
  Subscription inputs =
      subscription_of(topic, topics, tag, every, synchronised, by_module, missing, wait_steps);
  Result<Bus::SubscriptionId> made = [&] {
    Bus::Compute call =
        [held = shared(std::move(compute))](const Bundle& bundle) -> std::optional<Payload> {
      const nb::gil_scoped_acquire acquire;
      nb::object value = called(*held, *arguments_of(bundle));
      if (value.is_none()) return std::nullopt;
      return payload_of(std::move(value));
    };
    const nb::gil_scoped_release release;
    return bus.derive(topic, std::move(inputs), std::move(call));
  }();
  return checked(std::move(made));
}

void publish(Bus& bus, const std::string& topic, nb::object make, const std::string& module,
             const std::string& tensor, std::uint64_t step, std::uint64_t epoch,
             const std::string& tag) {
  const supervise::MessageHead head{topic, module, tensor, step, epoch, tag};
  const nb::gil_scoped_release release;
  bus.publish(head, [&] {
    const nb::gil_scoped_acquire acquire;
    return payload_of(make());
  });
}

void declare(Bus& bus, const std::string& topic, bool of_model) {
  const Result<void> declared =
      bus.declare(topic, of_model ? supervise::Scope::Model : supervise::Scope::Module);
  if (!declared) raise(declared.error());
}

}  // namespace

void bind_bus(nb::module_& module) {
  const auto wanted = [](auto&& define, auto&&... first) {
    define(first..., nb::kw_only(), nb::arg("topics"), nb::arg("tag").none() = "training",
           nb::arg("every") = 1, nb::arg("synchronised") = false, nb::arg("by_module") = false,
           nb::arg("missing") = "warn", nb::arg("wait_steps") = 0);
  };
  nb::class_<Bus> bus(module, "Bus");
  bus.def(nb::init<>())
      .def("declare", &declare, nb::arg("topic"), nb::kw_only(), nb::arg("of_model") = false)
      .def("unsubscribe", &Bus::unsubscribe, nb::arg("id"),
           nb::call_guard<nb::gil_scoped_release>())
      .def("wants", &Bus::wants, nb::arg("topic"))
      .def("publish", &publish, nb::arg("topic"), nb::arg("make"), nb::kw_only(),
           nb::arg("module") = "", nb::arg("tensor") = "", nb::arg("step"), nb::arg("epoch") = 0,
           nb::arg("tag") = "training")
      // For the collectors, which are modules of their own.
      .def("_native", [](Bus& self) { return nb::capsule(&self, "sightline.Bus"); })
      .def("end_step", &Bus::end_step, nb::arg("step"), nb::call_guard<nb::gil_scoped_release>())
      .def("take_problems", &Bus::take_problems);
  wanted([&](auto... arguments) { bus.def("subscribe", &subscribe, arguments...); },
         nb::arg("receiver"), nb::arg("name"));
  wanted([&](auto... arguments) { bus.def("derive", &derive, arguments...); }, nb::arg("topic"),
         nb::arg("compute"));
}

}  // namespace sightline::python
