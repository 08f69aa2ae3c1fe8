// A look at a file with models: its classes, and what happens when a model is made and called. All
// of it in a process of its own, on the CPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "worker/dialogue.h"

namespace sightline::worker {

struct InspectionRequest {
  std::string file;  // absolute, as are root and entry
  std::string root;
  std::string entry;   // the entry point that is to import it; need not exist
  std::string module;  // what it is imported as
  std::string folder;  // that the search path needs for that; may be empty
  double timeout_s = 120;
};

struct Parameter {
  std::string name;
  std::string annotation;  // empty: none
  bool required = true;
  bool keyword_only = false;
};

struct ClassFacts {
  std::string name;
  bool is_model = false;  // a subclass of torch.nn.Module with a forward()
  std::vector<Parameter> constructor;
  std::vector<Parameter> forward;
  std::vector<std::string> uses;  // other classes of the file that its code mentions
};

struct Layer {
  std::string kind;                           // "Conv2d"
  std::map<std::string, std::int64_t> sizes;  // "in_channels": 3
};

struct MadeModel {
  std::string problem;  // empty: it was made
  std::uint64_t parameters = 0;
  std::vector<Layer> layers;
};

struct OutputTensor {
  std::string access;  // what to write after the name of the output: "", "[0]", "[\"logits\"]"
  std::vector<std::int64_t> shape;
  bool trains = false;  // its gradient reaches a parameter
};

struct CalledModel {
  std::string problem;  // empty: it returned
  std::vector<OutputTensor> outputs;
};

// Python expressions of torch and batch_size.
struct CallArguments {
  std::int64_t batch_size = 2;
  std::vector<std::string> positional;
  std::map<std::string, std::string> named;
};

class Inspection {
 public:
  // The worker has to outlive it. Its next request is this one's.
  Inspection(WorkerProcess& worker, InspectionRequest request, OnStage on_stage);

  // Imports the file.
  Outcome<std::vector<ClassFacts>> open();
  // Evaluates the expression in the file's namespace.
  Outcome<MadeModel> make(const std::string& expression);
  // Calls the model that was made last.
  Outcome<CalledModel> call(const CallArguments& arguments);
  std::optional<Failure> close();

 private:
  InspectionRequest request_;
  Dialogue dialogue_;
};

}  // namespace sightline::worker
