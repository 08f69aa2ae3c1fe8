#include "cli/loss_guess.h"

#include <algorithm>

namespace sightline::cli {
namespace {

using worker::CalledModel;
using worker::OutputTensor;

// A loss if there is one, else the first that a gradient comes from.
const OutputTensor* output_to_train(const CalledModel& called) {
  const OutputTensor* found = nullptr;
  for (const OutputTensor& output : called.outputs) {
    if (!output.trains) continue;
    if (output.shape.empty()) return &output;
    if (found == nullptr) found = &output;
  }
  return found;
}

bool is_text(const std::vector<TensorGuess>& inputs) {
  return !inputs.empty() && inputs.front().kind == TensorGuess::Kind::Whole;
}

// Like the input, so it is not classes but the input made anew.
bool is_like_input(const OutputTensor& output, const std::vector<TensorGuess>& inputs) {
  if (inputs.empty()) return false;
  const std::vector<std::int64_t>& wanted = inputs.front().dimensions;
  return wanted.size() == output.shape.size() && wanted.back() == output.shape.back();
}

std::string classes_text(std::int64_t classes, const std::string& each) {
  return "the model returns " + std::to_string(classes) + " values for each " + each +
         ", taken for classes";
}

LossGuess classify_samples(const std::string& output, std::int64_t classes) {
  return {"torch.randint(" + std::to_string(classes) + ", (batch_size,))",
          "F.cross_entropy(" + output + ", targets)", classes_text(classes, "sample")};
}

LossGuess classify_tokens(const std::string& output, const std::vector<std::int64_t>& shape) {
  return {"torch.randint(" + std::to_string(shape[2]) + ", (batch_size, " +
              std::to_string(shape[1]) + "))",
          "F.cross_entropy(" + output + ".flatten(0, 1), targets.flatten())",
          classes_text(shape[2], "token")};
}

}  // namespace

LossGuess guess_loss(const CalledModel& called, const std::vector<TensorGuess>& inputs) {
  const OutputTensor* found = output_to_train(called);
  if (found == nullptr) return {"", "outputs.mean()", "what the model returns is not known"};
  const std::string output = "outputs" + found->access;
  const std::vector<std::int64_t>& shape = found->shape;
  if (shape.empty()) return {"", output, "the model returns a single number, taken for the loss"};
  const bool classes = shape.back() > 1 && !is_like_input(*found, inputs);
  if (classes && shape.size() == 2) return classify_samples(output, shape.back());
  if (classes && shape.size() == 3 && is_text(inputs)) return classify_tokens(output, shape);
  return {"", output + ".mean()", "the mean of the output stands for your loss"};
}

bool returns_loss(const CalledModel& called) {
  const OutputTensor* output = output_to_train(called);
  return output != nullptr && output->shape.empty();
}

bool keeps_batch(const CalledModel& called, const std::vector<TensorGuess>& inputs,
                 std::int64_t batch_size) {
  const OutputTensor* output = output_to_train(called);
  if (output == nullptr) return false;
  if (output->shape.empty() || inputs.empty()) return true;
  const std::vector<std::int64_t>& wanted = inputs.front().dimensions;
  const auto place =
      static_cast<std::size_t>(std::find(wanted.begin(), wanted.end(), kBatch) - wanted.begin());
  return output->shape.front() == batch_size ||
         (place < output->shape.size() && output->shape[place] == batch_size);
}

}  // namespace sightline::cli
