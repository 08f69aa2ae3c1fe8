// Tells the bus of parameters when an optimizer steps: values and gradients before it, updates
// after it. What nobody wants is neither read nor copied, and no Python runs for a parameter.
//
// A parameter is known by the object that the module and the optimizer share; one that was replaced
// is another. Gradients are those that the optimizer gets. Everything here needs the interpreter's
// lock, which is given up while receivers work.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collectors/torch/deaths.h"
#include "core/supervise/bus/bus.h"
#include "core/supervise/bus/kinds.h"

namespace sightline::torch_collector {

class MessageBatch;

class ParameterSweep {
 public:
  explicit ParameterSweep(supervise::Bus& bus);
  ~ParameterSweep();
  ParameterSweep(const ParameterSweep&) = delete;
  ParameterSweep& operator=(const ParameterSweep&) = delete;

  // In place of those that are watched.
  void forget_all();
  // False if it is no tensor. One parameter may have several names.
  bool watch(const std::string& module, const std::string& name, PyObject* parameter);

  struct Step {
    std::uint64_t step = 0;
    std::uint64_t epoch = 0;
    double gradient_scale = 1;  // gradients are so many times what they stand for
  };
  // How many parameters of the optimizer are not watched.
  std::size_t before_step(PyObject* optimizer, const Step& step);
  void after_step(PyObject* optimizer, const Step& step);

  // For copies, from the next step on. What does not fit is replaced by a sample.
  void set_update_budget(std::uint64_t bytes) { update_budget_bytes_ = bytes; }
  std::uint64_t copied_bytes() const;  // that copies take now
  std::uint64_t sampled_one_of() const { return one_of_; }
  // Nanoseconds since the last time, receivers included.
  std::uint64_t take_spent_ns() { return std::exchange(spent_ns_, 0); }

 private:
  struct Watched;
  struct Planned {
    std::shared_ptr<Watched> watched;
    std::size_t kind = 0;           // of its topics
    PyObject* object = nullptr;     // borrowed, unless the plan is held
    PyObject* reference = nullptr;  // that of what is watched

    bool is_there() const { return PyWeakref_GET_OBJECT(reference) == object; }
  };
  // Which of an optimizer's parameters are watched; made anew when its list has changed.
  struct Plan {
    std::vector<PyObject*> parameters;
    std::vector<Planned> watched;
    std::size_t unknown = 0;
    std::size_t died = 0;  // when it was made
    bool held = false;

    Plan() = default;
    ~Plan() { let_go(); }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    // Keeps the parameters alive while a step is told.
    void hold();
    void let_go();
  };

  // Who is told of one kind of parameters, and of what somebody wants to be told now.
  struct Telling {
    supervise::Bus::Line values;
    supervise::Bus::Line gradients;
    supervise::Bus::Line updates;
    bool wants_values = false;
    bool wants_gradients = false;
    bool wants_updates = false;

    bool wants_any() const { return wants_values || wants_gradients || wants_updates; }
  };
  using TellingOfKinds = std::array<Telling, supervise::kParameterTopics.size()>;

  // Receivers may have others watched meanwhile: whoever uses a plan holds it.
  std::shared_ptr<Plan> plan_of(PyObject* optimizer);
  std::shared_ptr<Plan> made_plan(std::vector<PyObject*> parameters) const;
  TellingOfKinds telling() const;
  static void fetch_gradient(const Planned& planned);
  void tell_all_before(const Plan& plan, const TellingOfKinds& kinds, const Step& step);
  void tell_before(const Planned& planned, const Telling& telling, const Step& step,
                   MessageBatch& batch);
  void tell_after(const Planned& planned, const Telling& telling, const Step& step);
  void tell_state(PyObject* optimizer, const Plan& plan, const Step& step);
  void tell_state_of(const Watched& watched, PyObject* state, const Step& step);

  supervise::Bus& bus_;
  Deaths deaths_;  // of what is watched
  std::vector<std::shared_ptr<Watched>> watched_;
  std::unordered_map<PyObject*, std::shared_ptr<Plan>> plans_;  // by optimizer
  std::uint64_t update_budget_bytes_ = static_cast<std::uint64_t>(-1);
  std::uint64_t one_of_ = 1;
  std::uint64_t spent_ns_ = 0;
};

}  // namespace sightline::torch_collector
