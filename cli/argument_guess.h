// Values for the arguments of a constructor, guessed from their names and annotations.
#pragma once

#include <string>
#include <vector>

#include "worker/inspection.h"

namespace sightline::cli {

struct Argument {
  std::string name;
  std::string value;                  // a Python expression
  std::vector<std::string> imported;  // the classes of the file that the value needs
};

using Arguments = std::vector<Argument>;

// For all parameters without a default, the likeliest first. `classes` are those of the file.
std::vector<Arguments> guess_arguments(const worker::ClassFacts& model,
                                       const std::vector<worker::ClassFacts>& classes);

// "Net(width=64, layers=2)"
std::string construction(const std::string& model, const Arguments& arguments);

}  // namespace sightline::cli
