// Looks for the model of a file, in a Python process of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/import_way.h"
#include "cli/model_trial.h"

namespace sightline::cli {

struct ModelSearch {
  std::filesystem::path file;  // absolute, links followed, as are the next two
  std::filesystem::path entry;
  std::filesystem::path root;
  std::vector<ImportWay> ways;  // at least one
  std::string typed;            // the file as it was typed
  std::string wanted_class;     // empty: the one that fits best
};

struct FoundModel {
  ImportWay way;
  std::vector<worker::ClassFacts> candidates;  // it is one of them
  TriedModel model;
};

// Shows on the terminal what is going on. Fails if the file cannot be imported or has no such
// model.
worker::Outcome<FoundModel> find_model(const std::filesystem::path& python,
                                       const ModelSearch& search);

}  // namespace sightline::cli
