#include "worker/provider_problems.h"

#include <string>
#include <vector>

namespace sightline::worker {
namespace {

// How a provider of this name is to be written.
std::string mended(const std::string& provider) {
  if (provider.ends_with("input_provider")) return "def " + provider + "(batch_size=32):";
  if (provider.ends_with("iteration_provider")) return "def " + provider + "(model):";
  return "def " + provider + "():";
}

std::string purpose(const std::string& provider) {
  if (provider.ends_with("input_provider")) return "the inputs of one iteration, as a tuple";
  if (provider.ends_with("iteration_provider")) return "a function that runs one iteration";
  return "the model";
}

std::string shown_type(const std::string& type) {
  return type == "None" ? type : "something of type " + type;
}

void describe_missing(const nlohmann::json& facts, Failure& failure) {
  const auto missing = facts.at("missing").get<std::vector<std::string>>();
  if (facts.value("found", 0) == 0) {
    failure.what = "the file has no providers, so it is no entry point";
  } else {
    failure.what = "the entry point lacks " + missing.front();
    for (std::size_t i = 1; i < missing.size(); ++i) failure.what += " and " + missing[i];
  }
  failure.remedy = "add at the end of it:\n";
  for (const std::string& provider : missing) {
    failure.remedy += "  " + mended(provider) + "  # returns " + purpose(provider) + "\n";
  }
}

}  // namespace

bool describe_provider_problem(const nlohmann::json& facts, Failure& failure) {
  const std::string kind = facts.value("kind", "");
  const std::string provider = facts.value("provider", "");
  const std::string got = shown_type(facts.value("got", ""));
  const std::string signature = facts.value("signature", "");
  const std::string write_it = "write it as: " + mended(provider);
  if (kind == "providers_missing") {
    describe_missing(facts, failure);
  } else if (kind == "provider_is_not_callable") {
    failure.what = provider + " has to be a function, and is " + got;
    failure.remedy = write_it;
  } else if (kind == "parameters_unknown") {
    failure.what = provider + " is " + got + ", whose parameters cannot be read";
    failure.remedy = write_it;
  } else if (kind == "wrong_parameters") {
    failure.what = "the parameters of " + signature + " are not those of a provider";
    failure.remedy = write_it;
  } else if (kind == "no_default_batch_size") {
    failure.what = "batch_size of " + signature + " needs a default that is a whole number above 0";
    failure.remedy = write_it;
  } else if (kind == "model_is_no_module") {
    failure.what = provider + " returned " + got + ", which is no torch.nn.Module";
    failure.remedy = "return the model: " + mended(provider) + " return Model()";
  } else if (kind == "inputs_are_a_tensor") {
    failure.what =
        provider + " returned a bare tensor, which would be taken apart sample by sample";
    failure.remedy = "put it into a tuple: return (tensor,)";
  } else if (kind == "inputs_are_no_iterable") {
    failure.what = provider + " returned " + got + ", and not the inputs of an iteration";
    failure.remedy = "return them in a tuple, a list or a dict";
  } else if (kind == "iteration_is_not_callable") {
    failure.what = provider + " returned " + got + ", and not a function";
    failure.remedy = "return the function that runs one iteration, not its result";
  } else if (kind == "inputs_do_not_fit") {
    failure.what = "the input provider gives " + facts.value("given", "") + ", and " + signature +
                   " cannot be called with that: " + facts.value("text", "");
    failure.remedy = "def iteration(*inputs): takes any number of them";
  } else if (kind == "forward_does_not_fit") {
    failure.what = "the inputs do not fit the model: " + facts.value("text", "");
    failure.remedy = "the input provider has to return what forward() is called with";
  } else if (kind == "loss_without_gradient") {
    failure.what = "backward() was called on something that no parameter's gradient depends on";
    failure.remedy =
        "the model has to return a loss computed from its parameters, outside of "
        "no_grad() and not detached";
  } else {
    return false;
  }
  return true;
}

}  // namespace sightline::worker
