#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "cli/complaint.h"
#include "cli/entry_template.h"
#include "cli/model_search.h"
#include "cli/outputs.h"
#include "cli/parse.h"
#include "cli/project_file.h"
#include "cli/python_search.h"
#include "cli/run_name.h"
#include "cli/run_plan.h"
#include "cli/user_failure.h"
#include "cli/verbs.h"
#include "core/export/write_files.h"
#include "core/profile/report/safe_text.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

struct InitOptions {
  std::string model;
  std::string entry = "entry_point.py";
  std::string wanted_class;
  std::string python;
  bool force = false;
};

void describe(CLI::App& app, InitOptions& options) {
  app.add_option("MODEL", options.model, "the Python file that defines the model")
      ->required()
      ->type_name("");
  app.add_option("-o,--output", options.entry,
                 "the entry point to write (entry_point.py in the current folder)")
      ->type_name("ENTRY");
  app.add_option("--class", options.wanted_class,
                 "the class of the model (the largest that is no part of another)")
      ->type_name("NAME");
  app.add_option("--python", options.python,
                 "the Python to look at it with (the one `sightline profile` would take)")
      ->type_name("PYTHON");
  app.add_flag("--force", options.force, "replace an existing file");
  app.footer(
      "Start it in the project's root. It imports the file, makes the model and calls it on the\n"
      "CPU, to find out what it takes. What remains a guess is marked with \"adapt\".\n\n"
      "Examples:\n"
      "  sightline init model.py\n"
      "  sightline init models/gan.py --class Critic -o profile_critic.py");
}

Result<fs::path> find_place(const std::string& typed, const fs::path& root) {
  std::error_code ignored;
  fs::path path = fs::weakly_canonical(fs::absolute(typed, ignored), ignored);
  if (path.extension() != ".py") {
    return wrong_use(typed + " cannot be an entry point; give it a name like NAME.py");
  }
  if (const Result<void> below = check_below(typed, "the entry point", path, root); !below) {
    return below.error();
  }
  return path;
}

Result<ModelSearch> search_of(const InitOptions& options) {
  std::error_code no_folder;
  ModelSearch search;
  search.root = fs::canonical(".", no_folder);
  if (no_folder) return wrong_use("the current folder does not exist");
  const Result<fs::path> file = find_python_file(options.model, "the model", search.root);
  if (!file) return file.error();
  const Result<fs::path> entry = find_place(options.entry, search.root);
  if (!entry) return entry.error();
  search.file = file.value();
  search.entry = entry.value();
  if (search.file == search.entry) {
    return wrong_use(options.entry + " is the model itself; choose another name with -o");
  }
  if (const Result<void> free = check_outputs({options.entry}, options.force); !free) {
    return free.error();
  }
  search.ways = import_ways(search.file, search.entry, search.root);
  if (search.ways.empty()) {
    return wrong_use(options.model +
                     " cannot be imported, its name is no name in Python; rename it");
  }
  search.typed = options.model;
  search.wanted_class = options.wanted_class;
  return search;
}

EntryPlan plan_of(const FoundModel& found, const ModelSearch& search) {
  const TriedModel& model = found.model;
  EntryPlan plan;
  plan.model_file = search.typed;
  plan.model = model.facts.name;
  plan.module = found.way.module;
  if (!found.way.folder.empty()) {
    plan.search_folder = found.way.folder.lexically_relative(search.entry.parent_path());
  }
  plan.imports = {plan.model};
  for (const Argument& argument : model.arguments) {
    plan.imports.insert(plan.imports.end(), argument.imported.begin(), argument.imported.end());
  }
  std::sort(plan.imports.begin(), plan.imports.end());
  plan.imports.erase(std::unique(plan.imports.begin(), plan.imports.end()), plan.imports.end());
  for (const worker::ClassFacts& one : found.candidates) {
    if (!std::binary_search(plan.imports.begin(), plan.imports.end(), one.name)) {
      plan.others.push_back(one.name);
    }
  }
  plan.arguments = model.arguments;
  for (std::size_t i = 0; i < model.filled.size(); ++i) {
    plan.inputs.push_back({model.filled[i].name, expression(model.inputs[i]), model.inputs[i].why,
                           model.filled[i].keyword_only});
  }
  plan.loss = guess_loss(model.called, model.inputs);
  plan.problem = profile::printable(model.problem);
  return plan;
}

std::string summary(const EntryPlan& plan, const std::string& entry) {
  std::string text =
      "Wrote " + entry + ": training steps of " + plan.model + " from " + plan.model_file + ".\n";
  if (!plan.others.empty()) {
    text += "Other models there:";
    for (const std::string& other : plan.others) text += " " + other;
    text += "; --class NAME chooses one.\n";
  }
  text += "\nGuessed, and marked with \"adapt\" in it:\n";
  if (!plan.arguments.empty()) {
    text += "  model      " + construction(plan.model, plan.arguments) + "\n";
  }
  for (const EntryInput& input : plan.inputs) {
    text += "  input      " + input.name + " = " + input.expression + "\n";
  }
  if (!plan.loss.targets.empty()) text += "  targets    " + plan.loss.targets + "\n";
  text += "  loss       " + plan.loss.loss + "\n  optimizer  SGD\n";
  if (!plan.problem.empty()) {
    text +=
        "\nIt does not run yet, no guess did: " + plan.problem + "\nMend what is marked, then: ";
  } else {
    text += "\nNext: ";
  }
  return text + command_line({"sightline", "profile", entry}) + "\n";
}

}  // namespace

int init_main(const std::vector<std::string>& arguments) {
  CLI::App app("Writes an entry point for a model, ready for `sightline profile`.",
               "sightline init");
  InitOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;

  const Result<ModelSearch> search = search_of(options);
  if (!search) return complain(search.error());
  const Result<FoundPython> python = find_python(python_search(options.python));
  if (!python) return complain(python.error());
  worker::Outcome<FoundModel> found = find_model(python->path, search.value());
  if (auto* failure = std::get_if<worker::Failure>(&found)) {
    if (failure->kind == worker::Failure::Kind::OutOfMemory) {
      failure->remedy = "--class NAME chooses a smaller model";
    }
    return report_failure(*failure);
  }
  const EntryPlan plan = plan_of(std::get<FoundModel>(found), search.value());
  const Result<void> written = exports::write_files({{search->entry, entry_text(plan)}});
  if (!written) return complain(written.error());
  std::fputs(summary(plan, path_from(search->root, search->entry)).c_str(), stdout);
  return kExitSuccess;
}

}  // namespace sightline::cli
