// The text of an entry point.
#pragma once

#include <string>
#include <vector>

#include "cli/argument_guess.h"
#include "cli/loss_guess.h"

namespace sightline::cli {

struct EntryInput {
  std::string name;  // of forward()'s parameter
  std::string expression;
  std::string why;
  bool keyword_only = false;
};

struct EntryPlan {
  std::string model_file;            // as it was typed
  std::string model;                 // the class
  std::vector<std::string> others;   // classes that could have been chosen instead
  std::string module;                // that it is imported from
  std::string search_folder;         // that the import needs, relative to the entry point's
  std::vector<std::string> imports;  // the class, and those that its arguments need
  Arguments arguments;               // of its constructor, all guessed
  std::vector<EntryInput> inputs;
  LossGuess loss;
  std::string problem;  // why the model could not be made or called; may be empty
};

std::string entry_text(const EntryPlan& plan);

}  // namespace sightline::cli
