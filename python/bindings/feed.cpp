#include "core/supervise/feed/feed.h"

#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "core/supervise/bus/kinds.h"
#include "python/bindings/core.h"
#include "python/bindings/errors.h"
#include "python/bindings/shared_object.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

using supervise::Bus;
using supervise::Feed;
using supervise::FeedOptions;
using supervise::Scope;
using supervise::Supervision;
using supervise::UnitKind;

UnitKind kind_of(const std::string& name) {
  if (name == "relu") return UnitKind::Relu;
  if (name == "tanh") return UnitKind::Tanh;
  if (name == "sigmoid") return UnitKind::Sigmoid;
  throw nb::value_error("units are 'relu', 'tanh' or 'sigmoid'");
}

void declare_training_topics(Bus& bus) {
  const auto declare = [&](const char* topic, Scope scope) {
    if (const Result<void> declared = bus.declare(topic, scope); !declared) raise(declared.error());
  };
  for (const supervise::ParameterTopics& topics : supervise::kParameterTopics) {
    declare(topics.values, Scope::Module);
    declare(topics.gradients, Scope::Module);
    declare(topics.updates, Scope::Module);
  }
  for (const char* topic : supervise::kModuleTopics) declare(topic, Scope::Module);
  for (const char* topic : supervise::kModelTopics) declare(topic, Scope::Model);
}

// (values, gradients, updates) for each kind of parameters.
nb::tuple parameter_topics() {
  nb::list kinds;
  for (const supervise::ParameterTopics& topics : supervise::kParameterTopics) {
    kinds.append(nb::make_tuple(topics.values, topics.gradients, topics.updates));
  }
  return nb::tuple(kinds);
}

template <typename Topics>
nb::tuple tuple_of(const Topics& topics) {
  nb::list names;
  for (const char* topic : topics) names.append(topic);
  return nb::tuple(names);
}

std::unique_ptr<Feed> make_feed(Bus& bus, Supervision& supervision, std::set<std::string> topics,
                                std::set<std::string> figures, double budget_share,
                                std::uint64_t every, std::uint64_t histogram_every) {
  declare_training_topics(bus);
  if (every == 0) throw nb::value_error("every is 1 or more");
  auto made =
      Feed::make(bus, supervision,
                 {std::move(topics), std::move(figures), budget_share, every, histogram_every});
  if (!made) raise(made.error());
  return std::move(made).value();
}

// Called as find(topic, module, tensor) for (module, operator, file, line) or None. Whatever goes
// wrong: not known.
void find_source_by(Feed& feed, nb::object find) {
  feed.find_source_by([held = shared(std::move(find))](
                          const supervise::Message& message) -> std::optional<Feed::Source> {
    const nb::gil_scoped_acquire acquire;
    try {
      const nb::object found = (*held)(message.topic, message.module, message.tensor);
      if (found.is_none()) return std::nullopt;
      const auto [module, operator_name, file, line] =
          nb::cast<std::tuple<std::string, std::string, std::string, std::uint32_t>>(found);
      return Feed::Source{module, operator_name, file, line};
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("sightline");
    } catch (const std::exception&) {
      return std::nullopt;
    }
    return std::nullopt;
  });
}

}  // namespace

void bind_feed(nb::module_& module) {
  nb::class_<Feed>(module, "Feed")
      .def(nb::new_(&make_feed), nb::arg("bus"), nb::arg("supervision"), nb::kw_only(),
           nb::arg("topics"), nb::arg("figures") = std::set<std::string>(), nb::arg("budget_share"),
           nb::arg("every") = 1, nb::arg("histogram_every") = 0, nb::keep_alive<0, 2>(),
           nb::keep_alive<0, 3>())
      .def("watch_units", [](Feed& feed, const std::string& path,
                             const std::string& kind) { feed.watch_units(path, kind_of(kind)); })
      .def("set_origin", &Feed::set_origin, nb::arg("module"), nb::arg("file"), nb::arg("line"))
      .def(
          "watch_function",
          [](Feed& feed, const std::string& path, const std::string& tensor,
             const std::string& kind, const std::string& file,
             std::uint32_t line) { feed.watch_function(path, tensor, kind_of(kind), file, line); },
          nb::arg("module"), nb::arg("tensor"), nb::arg("units"), nb::arg("file"), nb::arg("line"))
      .def("find_source_by", &find_source_by, nb::arg("find"))
      .def("end_step", &Feed::end_step, nb::arg("step"), nb::arg("epoch"), nb::arg("step_ns"),
           nb::arg("spent_ns"), nb::call_guard<nb::gil_scoped_release>())
      .def("end", &Feed::end, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("looking", &Feed::looking)
      .def_prop_ro("looked_at", [](const Feed& feed) { return feed.budget().looked_at(); });
  module.def("declare_training_topics", &declare_training_topics, nb::arg("bus"));
  module.attr("PARAMETER_TOPICS") = parameter_topics();
  module.attr("MODULE_TOPICS") = tuple_of(supervise::kModuleTopics);
  module.attr("MODEL_TOPICS") = tuple_of(supervise::kModelTopics);
}

}  // namespace sightline::python
