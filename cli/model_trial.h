// Finds out how a model of a file is made and called, by trying.
#pragma once

#include <string>
#include <vector>

#include "cli/argument_guess.h"
#include "cli/input_guess.h"
#include "worker/inspection.h"

namespace sightline::cli {

struct TriedModel {
  worker::ClassFacts facts;
  Arguments arguments;
  std::uint64_t parameters = 0;
  std::vector<worker::Parameter> filled;  // those of forward() that get a value
  std::vector<TensorGuess> inputs;        // one for each of them
  worker::CalledModel called;             // with these
  std::string problem;                    // empty: it was made, was called, and can be trained
};

// The models that no other class of the file is made of, in its order; all if there is none such.
std::vector<worker::ClassFacts> top_models(const std::vector<worker::ClassFacts>& classes);

// The largest of the candidates that can be made and called; if none can, the first with what is
// wrong with it. There is at least one candidate. `classes` are all of the file.
worker::Outcome<TriedModel> try_models(worker::Inspection& inspection,
                                       const std::vector<worker::ClassFacts>& candidates,
                                       const std::vector<worker::ClassFacts>& classes);

}  // namespace sightline::cli
