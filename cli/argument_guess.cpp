#include "cli/argument_guess.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/guess_words.h"

namespace sightline::cli {
namespace {

using worker::ClassFacts;
using worker::Parameter;
using Classes = std::vector<ClassFacts>;

constexpr const char kSomeNumbers[] = "[2, 2, 2, 2]";

// The first that is a part of the name decides.
constexpr std::array<std::pair<std::string_view, const char*>, 28> kByName = {{
    {"drop", "0.1"},    {"rate", "0.1"},  {"prob", "0.1"},   {"vocab", "1000"},
    {"token", "1000"},  {"class", "10"},  {"label", "10"},   {"in_channel", "3"},
    {"image", "32"},    {"img", "32"},    {"patch", "4"},    {"kernel", "3"},
    {"stride", "1"},    {"pad", "1"},     {"dilation", "1"}, {"head", "4"},
    {"expansion", "2"}, {"layer", "2"},   {"depth", "2"},    {"block", "2"},
    {"group", "1"},     {"output", "10"}, {"out_dim", "10"}, {"out_features", "10"},
    {"experts", "4"},   {"top_k", "2"},   {"levels", "2"},   {"scale", "2"},
}};
constexpr const char kWidth[] = "64";

bool needs_nothing(const ClassFacts& one) {
  return std::none_of(one.constructor.begin(), one.constructor.end(),
                      [](const Parameter& parameter) { return parameter.required; });
}

bool is_configuration(const ClassFacts& one) { return !one.is_model && needs_nothing(one); }

// "block", "block_class", or what the annotation calls a type.
bool wants_class(const Parameter& parameter) {
  if (has(parameter.annotation, "type[") || has(parameter.annotation, "Type[")) return true;
  if (!parameter.annotation.empty()) return false;
  return parameter.name == "block" || parameter.name.ends_with("_class") ||
         parameter.name.ends_with("_cls");
}

bool wants_configuration(const Parameter& parameter) {
  return has(parameter.name, "config") || parameter.name == "cfg" || parameter.name == "args" ||
         parameter.name == "hparams";
}

bool may_be_several(const Parameter& parameter) {
  if (!parameter.annotation.empty()) return false;
  return parameter.name.ends_with('s') && parameter.name != "num_classes";
}

bool is_annotated_as_several(const Parameter& parameter) {
  for (const char* word : {"list", "List", "tuple", "Tuple", "Sequence", "Iterable"}) {
    if (has(parameter.annotation, word)) return true;
  }
  return false;
}

// The class that the annotation names, else the first that will do.
template <typename Predicate>
const ClassFacts* class_for(const Parameter& parameter, const Classes& classes, Predicate will_do) {
  const ClassFacts* found = nullptr;
  for (const ClassFacts& one : classes) {
    if (!will_do(one)) continue;
    if (has(parameter.annotation, one.name)) return &one;
    if (found == nullptr) found = &one;
  }
  return found;
}

std::string number_for(const Parameter& parameter) {
  if (parameter.annotation == "bool") return "False";
  if (parameter.annotation == "float") return "0.1";
  if (parameter.name == "p") return "0.1";
  if (parameter.name == "channels") return "3";
  for (const auto& [part, value] : kByName) {
    if (has(parameter.name, part)) return value;
  }
  return kWidth;
}

bool takes_number(const Parameter& parameter) {
  for (const char* word : {"", "int", "float", "bool"}) {
    if (parameter.annotation == word) return true;
  }
  return has(parameter.annotation, "int") || has(parameter.annotation, "float");
}

// "text_encoder" and "TextEncoder" are the same.
std::string without_case(std::string_view name) {
  std::string letters;
  for (const char letter : name) {
    if (letter != '_') {
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return letters;
}

Arguments guess_all(const ClassFacts& model, const Classes& classes, bool several);

// A part that is made by a class of the same name.
std::optional<Argument> guess_part(const Parameter& parameter, const ClassFacts& model,
                                   const Classes& classes, bool several) {
  for (const ClassFacts& part : classes) {
    const bool same = without_case(part.name) == without_case(parameter.name);
    // What stands further down may be made of this one in turn.
    if (part.name == model.name) break;
    if (!part.is_model || !same) continue;
    const Arguments arguments = guess_all(part, classes, several);
    Argument argument = {parameter.name, construction(part.name, arguments), {part.name}};
    for (const Argument& one : arguments) {
      argument.imported.insert(argument.imported.end(), one.imported.begin(), one.imported.end());
    }
    return argument;
  }
  return std::nullopt;
}

Argument guess(const Parameter& parameter, const ClassFacts& model, const Classes& classes,
               bool several) {
  const std::string& name = parameter.name;
  const auto named = [&](const ClassFacts& one) {
    return is_configuration(one) && has(parameter.annotation, one.name);
  };
  const ClassFacts* found = class_for(parameter, classes, named);
  if (found == nullptr && wants_configuration(parameter)) {
    found = class_for(parameter, classes, is_configuration);
  }
  if (found != nullptr) return {name, found->name + "()", {found->name}};
  if (wants_class(parameter)) {
    const auto other = [&](const ClassFacts& one) {
      return one.is_model && one.name != model.name;
    };
    found = class_for(parameter, classes, other);
    if (found != nullptr) return {name, found->name, {found->name}};
  }
  if (std::optional<Argument> part = guess_part(parameter, model, classes, several)) return *part;
  if (is_annotated_as_several(parameter)) return {name, kSomeNumbers, {}};
  if (several && may_be_several(parameter)) return {name, kSomeNumbers, {}};
  if (parameter.annotation == "str") return {name, "\"\"", {}};
  return {name, takes_number(parameter) ? number_for(parameter) : "None", {}};
}

Arguments guess_all(const ClassFacts& model, const Classes& classes, bool several) {
  Arguments arguments;
  for (const Parameter& parameter : model.constructor) {
    if (parameter.required) arguments.push_back(guess(parameter, model, classes, several));
  }
  return arguments;
}

bool same_values(const Arguments& a, const Arguments& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Argument& x, const Argument& y) { return x.value == y.value; });
}

}  // namespace

std::vector<Arguments> guess_arguments(const ClassFacts& model, const Classes& classes) {
  std::vector<Arguments> guesses = {guess_all(model, classes, false)};
  Arguments several = guess_all(model, classes, true);
  if (!same_values(guesses.front(), several)) guesses.push_back(std::move(several));
  return guesses;
}

std::string construction(const std::string& model, const Arguments& arguments) {
  std::string text = model + "(";
  for (const Argument& argument : arguments) {
    if (text.back() != '(') text += ", ";
    text += argument.name + "=" + argument.value;
  }
  return text + ")";
}

}  // namespace sightline::cli
