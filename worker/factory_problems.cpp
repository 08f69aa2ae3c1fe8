#include "worker/factory_problems.h"

#include <string>
#include <vector>

namespace sightline::worker {
namespace {

std::string names_in_module(const nlohmann::json& facts) {
  std::string text;
  for (const auto& name : facts.value("others", std::vector<std::string>{})) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "the file defines no function and no model" : "it defines " + text;
}

}  // namespace

bool describe_factory_problem(const nlohmann::json& facts, Failure& failure) {
  const std::string kind = facts.value("kind", "");
  const std::string factory = facts.value("factory", "");
  if (kind == "module_missing") {
    failure.what = "there is no module " + facts.value("module", "");
    failure.remedy = "it is looked for in the current folder and in what is installed for " +
                     facts.value("python", "") +
                     "\nstart sightline in the project's root, or choose another --python";
  } else if (kind == "factory_missing") {
    failure.what = "there is no " + factory + " in the module";
    failure.remedy = names_in_module(facts);
  } else if (kind == "factory_is_not_callable") {
    failure.what = factory + " is something of type " + facts.value("got", "") +
                   ", and neither makes a model nor is one";
    failure.remedy = "name a function or a class that returns a torch.nn.Module";
  } else if (kind == "factory_needs_arguments") {
    failure.what = facts.value("signature", "") + " cannot be called without arguments";
    failure.remedy = "write a function without arguments that returns the model, and name that";
  } else if (kind == "factory_made_no_module") {
    failure.what = factory + " returned something of type " + facts.value("got", "") +
                   ", which is no torch.nn.Module";
    failure.remedy = "name a function or a class that returns one";
  } else if (kind == "model_is_not_called") {
    failure.what = "the iteration did not call the model that the model provider returned";
    failure.remedy =
        "measure looks at that call; name what makes the model instead:\n"
        "sightline measure FILE.py:NAME --input SHAPE";
  } else {
    return false;
  }
  return true;
}

std::string remedy_for_inputs(const nlohmann::json& facts) {
  const std::string inputs = facts.value("inputs", "");
  if (inputs.empty()) return "";
  return "the model was called with --input " + inputs +
         "; other inputs are given as --input SHAPE:DTYPE, one for each argument";
}

}  // namespace sightline::worker
