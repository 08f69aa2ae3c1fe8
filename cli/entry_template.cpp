#include "cli/entry_template.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/run_plan.h"

namespace sightline::cli {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr const char kTargets[] = "targets";

constexpr std::array<std::string_view, 10> kOwnNames = {
    "F",    "Path",  "batch_size", "device",  "iteration",
    "loss", "model", "optimizer",  "outputs", "torch"};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "\"";
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The name of the variable for an input: its own, unless the entry point uses that for another.
std::string variable(const EntryInput& input, const EntryPlan& plan) {
  const bool taken = std::find(kOwnNames.begin(), kOwnNames.end(), input.name) != kOwnNames.end() ||
                     contains(plan.imports, input.name) ||
                     (input.name == kTargets && !plan.loss.targets.empty());
  return taken ? input.name + "_" : input.name;
}

std::vector<std::string> variables(const EntryPlan& plan) {
  std::vector<std::string> names;
  names.reserve(plan.inputs.size() + 1);
  for (const EntryInput& input : plan.inputs) names.push_back(variable(input, plan));
  if (!plan.loss.targets.empty()) names.emplace_back(kTargets);
  return names;
}

std::string on_device(const std::string& expression) {
  return expression.substr(0, expression.size() - 1) + ", device=device)";
}

// One comment, on as many lines as it takes.
std::string comment(const std::string& text, const std::string& indent) {
  std::string lines;
  std::string line = indent + "#";
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (line.size() + 1 + word.size() > kLineWidth) {
      lines += line + "\n";
      line = indent + "#";
    }
    line += " " + word;
    start = end + 1;
  }
  return lines + line + "\n";
}

std::string adapt(const std::string& what, const std::string& indent = "    ") {
  return comment("adapt: " + what, indent);
}

std::string head(const EntryPlan& plan) {
  const bool apart = !plan.search_folder.empty();
  std::string text =
      "\"\"\"Training steps of " + plan.model + " for `sightline profile`.\"\"\"\n\n";
  if (apart) text += "import sys\nfrom pathlib import Path\n\n";
  text += "import torch\n";
  if (plan.loss.loss.starts_with("F.")) text += "import torch.nn.functional as F\n";
  if (apart) {
    text += "\nsys.path.insert(0, str(Path(__file__).resolve().parent / " +
            quoted(plan.search_folder) + "))\n";
  }
  text += "from " + plan.module + " import " + joined(plan.imports) +
          (apart ? "  # noqa: E402\n" : "\n");
  return text + "\ndevice = \"cuda\" if torch.cuda.is_available() else \"cpu\"\n";
}

std::string guessed_values(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments) names.push_back(argument.name);
  if (names.size() == 1) return "the value of " + names.front() + " is guessed";
  return "the values of " + joined(names) + " are guessed";
}

// On one line if it is wide enough.
std::string returned_model(const EntryPlan& plan) {
  std::string line = "    return " + construction(plan.model, plan.arguments) + ".to(device)\n";
  if (line.size() <= kLineWidth + 1) return line;
  std::string text = "    model = " + plan.model + "(\n";
  for (const Argument& argument : plan.arguments) {
    text += "        " + argument.name + "=" + argument.value + ",\n";
  }
  return text + "    )\n    return model.to(device)\n";
}

std::string model_provider(const EntryPlan& plan) {
  std::string text = "\n\ndef sightline_model_provider():\n";
  if (!plan.others.empty()) {
    const std::string command =
        command_line({"sightline", "init", plan.model_file, "--class", plan.others.front()});
    const std::string there = plan.others.size() == 1 ? "There is also " : "There are also ";
    text += comment(there + joined(plan.others) + ": " + command, "    ");
  }
  if (!plan.arguments.empty()) text += adapt(guessed_values(plan.arguments));
  return text + returned_model(plan);
}

std::string input_provider(const EntryPlan& plan) {
  std::string text = "\n\ndef sightline_input_provider(batch_size=32):\n";
  if (!plan.problem.empty()) text += adapt("the model did not run: " + plan.problem);
  for (const EntryInput& input : plan.inputs) {
    const std::string name = variable(input, plan);
    text +=
        adapt("the shape of " + name + " is a guess" + (input.why.empty() ? "" : "; " + input.why));
    text += "    " + name + " = " + on_device(input.expression) + "\n";
  }
  if (!plan.loss.targets.empty()) {
    text += adapt(plan.loss.why);
    text += std::string("    ") + kTargets + " = " + on_device(plan.loss.targets) + "\n";
  }
  const std::vector<std::string> names = variables(plan);
  if (names.size() == 1) return text + "    return (" + names.front() + ",)\n";
  return text + "    return " + (names.empty() ? "()" : joined(names)) + "\n";
}

std::string call(const EntryPlan& plan) {
  std::vector<std::string> arguments;
  for (const EntryInput& input : plan.inputs) {
    const std::string name = variable(input, plan);
    arguments.push_back(input.keyword_only ? input.name + "=" + name : name);
  }
  return "model(" + joined(arguments) + ")";
}

std::string iteration_provider(const EntryPlan& plan) {
  std::string text =
      "\n\ndef sightline_iteration_provider(model):\n"
      "    # adapt: the optimizer of your training\n"
      "    optimizer = torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9)\n\n";
  text += "    def iteration(" + joined(variables(plan)) + "):\n";
  text += "        optimizer.zero_grad()\n        outputs = " + call(plan) + "\n";
  text +=
      adapt(plan.loss.targets.empty() ? plan.loss.why : "the loss of your training", "        ");
  text += "        loss = " + plan.loss.loss + "\n";
  return text + "        loss.backward()\n        optimizer.step()\n\n    return iteration\n";
}

}  // namespace

std::string entry_text(const EntryPlan& plan) {
  return head(plan) + model_provider(plan) + input_provider(plan) + iteration_provider(plan);
}

}  // namespace sightline::cli
