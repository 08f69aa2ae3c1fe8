#include "cli/model_trial.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "cli/loss_guess.h"

namespace sightline::cli {
namespace {

using worker::CallArguments;
using worker::CalledModel;
using worker::ClassFacts;
using worker::Failure;
using worker::Inspection;
using worker::MadeModel;
using worker::Outcome;
using worker::Parameter;
using Classes = std::vector<ClassFacts>;

constexpr std::chrono::seconds kTrialTime(60);  // for all inputs of one model

// A model that was made, or why it was not.
struct Made {
  ClassFacts facts;
  Arguments arguments;
  MadeModel model;
};

Outcome<Made> make(Inspection& inspection, const ClassFacts& facts, const Classes& classes) {
  std::optional<Made> failed;
  for (Arguments& arguments : guess_arguments(facts, classes)) {
    Outcome<MadeModel> model = inspection.make(construction(facts.name, arguments));
    if (auto* failure = std::get_if<Failure>(&model)) return std::move(*failure);
    Made made = {facts, std::move(arguments), std::get<MadeModel>(std::move(model))};
    if (made.model.problem.empty()) return made;
    if (!failed) failed = std::move(made);
  }
  return std::move(*failed);
}

CallArguments call_arguments(const std::vector<Parameter>& parameters,
                             const std::vector<TensorGuess>& inputs) {
  CallArguments arguments;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string value = hardest_expression(inputs[i]);
    if (parameters[i].keyword_only) {
      arguments.named[parameters[i].name] = value;
    } else {
      arguments.positional.push_back(value);
    }
  }
  return arguments;
}

bool has_gradient(const CalledModel& called) {
  return std::any_of(called.outputs.begin(), called.outputs.end(),
                     [](const worker::OutputTensor& output) { return output.trains; });
}

std::string problem_of(const CalledModel& called) {
  if (!called.problem.empty()) return called.problem;
  return has_gradient(called) ? "" : "nothing that forward() returns has a gradient";
}

TriedModel not_called(const Made& made) {
  TriedModel model = {made.facts, made.arguments, made.model.parameters, {}, {}, {}, ""};
  model.filled = parameters_to_fill(made.facts.forward);
  model.inputs = guess_inputs(model.filled, made.model.layers).front();
  model.problem = made.model.problem;
  return model;
}

Outcome<TriedModel> call(Inspection& inspection, TriedModel model) {
  Outcome<CalledModel> called = inspection.call(call_arguments(model.filled, model.inputs));
  if (auto* failure = std::get_if<Failure>(&called)) return std::move(*failure);
  model.called = std::get<CalledModel>(std::move(called));
  model.problem = problem_of(model.called);
  return model;
}

// Inputs with which the model runs and keeps the batch apart; else with which it runs; else the
// first guess.
Outcome<TriedModel> try_inputs(Inspection& inspection, const Made& made) {
  const auto deadline = std::chrono::steady_clock::now() + kTrialTime;
  std::optional<TriedModel> best;
  TriedModel model = not_called(made);
  for (std::vector<TensorGuess>& inputs : guess_inputs(model.filled, made.model.layers)) {
    model.inputs = std::move(inputs);
    Outcome<TriedModel> outcome = call(inspection, model);
    const auto* tried = std::get_if<TriedModel>(&outcome);
    if (tried == nullptr) return outcome;
    const bool runs = tried->problem.empty();
    if (runs && keeps_batch(tried->called, tried->inputs, CallArguments().batch_size)) {
      return outcome;
    }
    if (!best || (runs && !best->problem.empty())) best = *tried;
    if (std::chrono::steady_clock::now() > deadline) break;
  }
  return std::move(*best);
}

// A model that takes targets and returns the loss is called that way.
Outcome<TriedModel> try_targets(Inspection& inspection, const Made& made, TriedModel without) {
  TriedModel model = without;
  model.filled = parameters_with_targets(made.facts.forward);
  if (model.filled.empty() || !without.problem.empty()) return without;
  for (std::vector<TensorGuess>& inputs : guess_inputs(model.filled, made.model.layers)) {
    const bool same = !inputs.empty() && !without.inputs.empty() &&
                      expression(inputs.front()) == expression(without.inputs.front());
    if (!same) continue;
    model.inputs = std::move(inputs);
    Outcome<TriedModel> outcome = call(inspection, model);
    const auto* tried = std::get_if<TriedModel>(&outcome);
    if (tried == nullptr || returns_loss(tried->called)) return outcome;
  }
  return without;
}

// A class that another is given as an argument is a part of it.
void remove_parts(std::vector<Made>& all) {
  std::set<std::string> parts;
  for (const Made& one : all) {
    for (const Argument& argument : one.arguments) {
      if (!one.model.problem.empty()) continue;
      parts.insert(argument.imported.begin(), argument.imported.end());
    }
  }
  const auto is_part = [&](const Made& one) { return parts.count(one.facts.name) != 0; };
  all.erase(std::remove_if(all.begin(), all.end(), is_part), all.end());
}

// The last one made is the one that is called.
Outcome<TriedModel> try_model(Inspection& inspection, const Made& made) {
  if (!made.model.problem.empty()) return not_called(made);
  Outcome<MadeModel> again = inspection.make(construction(made.facts.name, made.arguments));
  if (auto* failure = std::get_if<Failure>(&again)) return std::move(*failure);
  Outcome<TriedModel> model = try_inputs(inspection, made);
  if (std::holds_alternative<Failure>(model)) return model;
  return try_targets(inspection, made, std::get<TriedModel>(std::move(model)));
}

}  // namespace

Classes top_models(const Classes& classes) {
  std::set<std::string> used;
  for (const ClassFacts& one : classes) used.insert(one.uses.begin(), one.uses.end());
  Classes models;
  Classes top;
  for (const ClassFacts& one : classes) {
    if (!one.is_model) continue;
    models.push_back(one);
    if (used.count(one.name) == 0) top.push_back(one);
  }
  return top.empty() ? models : top;
}

Outcome<TriedModel> try_models(Inspection& inspection, const Classes& candidates,
                               const Classes& classes) {
  std::vector<Made> all;
  for (const ClassFacts& candidate : candidates) {
    Outcome<Made> made = make(inspection, candidate, classes);
    if (auto* failure = std::get_if<Failure>(&made)) return std::move(*failure);
    all.push_back(std::get<Made>(std::move(made)));
  }
  remove_parts(all);
  std::stable_sort(all.begin(), all.end(), [](const Made& a, const Made& b) {
    return a.model.parameters > b.model.parameters;
  });
  std::optional<TriedModel> first;
  for (const Made& one : all) {
    Outcome<TriedModel> model = try_model(inspection, one);
    const auto* tried_model = std::get_if<TriedModel>(&model);
    if (tried_model == nullptr || tried_model->problem.empty()) return model;
    if (!first) first = *tried_model;
  }
  return std::move(*first);
}

}  // namespace sightline::cli
