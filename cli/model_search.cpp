#include "cli/model_search.h"

#include <utility>

#include "cli/progress.h"
#include "worker/interrupts.h"
#include "worker/stages.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;
using worker::ClassFacts;
using worker::Failure;
using worker::Outcome;
using Classes = std::vector<ClassFacts>;

std::string names_of(const Classes& classes) {
  std::string names;
  for (const ClassFacts& one : classes) names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

Failure unusable(const std::string& what, const std::string& remedy) {
  Failure failure;
  failure.kind = Failure::Kind::Unusable;
  failure.what = what;
  failure.remedy = remedy;
  return failure;
}

Outcome<Classes> choose(const Classes& classes, const ModelSearch& search) {
  Classes models;
  for (const ClassFacts& one : classes) {
    if (one.is_model) models.push_back(one);
  }
  if (models.empty()) {
    return unusable(search.typed + " defines no model",
                    "a model is a subclass of torch.nn.Module with a forward(); one that is\n"
                    "imported from another file does not count: give that file");
  }
  if (search.wanted_class.empty()) return top_models(classes);
  for (const ClassFacts& one : models) {
    if (one.name == search.wanted_class) return Classes{one};
  }
  return unusable(search.typed + " has no model named " + search.wanted_class,
                  "those that it has: " + names_of(models));
}

Outcome<FoundModel> look_at(worker::WorkerProcess& process, const ModelSearch& search,
                            const ImportWay& way, const worker::OnStage& on_stage) {
  worker::InspectionRequest request;
  request.file = search.file.string();
  request.root = search.root.string();
  request.entry = search.entry.string();
  request.module = way.module;
  request.folder = way.folder.string();
  worker::Inspection inspection(process, request, on_stage);
  const Outcome<Classes> classes = inspection.open();
  if (const auto* failure = std::get_if<Failure>(&classes)) return *failure;
  Outcome<Classes> candidates = choose(std::get<Classes>(classes), search);
  if (const auto* failure = std::get_if<Failure>(&candidates)) return *failure;
  Outcome<TriedModel> model =
      try_models(inspection, std::get<Classes>(candidates), std::get<Classes>(classes));
  if (const auto* failure = std::get_if<Failure>(&model)) return *failure;
  return FoundModel{way, std::get<Classes>(std::move(candidates)),
                    std::get<TriedModel>(std::move(model))};
}

}  // namespace

Outcome<FoundModel> find_model(const fs::path& python, const ModelSearch& search) {
  const worker::Interrupts interrupts;
  Progress progress;
  progress.show("importing torch");
  const auto process = worker::WorkerProcess::start(python, interrupts.descriptor());
  if (!process) return worker::failure_of_setup(process.error().message);
  auto hello = await_hello(*process.value());
  if (auto* failure = std::get_if<Failure>(&hello)) return std::move(*failure);
  const auto on_stage = [&](const std::string& stage) {
    progress.show(std::string(worker::words_of_stage(stage).doing));
  };
  for (std::size_t i = 0; i + 1 < search.ways.size(); ++i) {
    Outcome<FoundModel> found = look_at(*process.value(), search, search.ways[i], on_stage);
    const auto* failure = std::get_if<Failure>(&found);
    if (failure == nullptr || !failure->missing_import) return found;
  }
  return look_at(*process.value(), search, search.ways.back(), on_stage);
}

}  // namespace sightline::cli
