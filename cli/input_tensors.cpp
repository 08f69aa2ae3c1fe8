#include "cli/input_tensors.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "cli/complaint.h"

namespace sightline::cli {
namespace {

struct DataType {
  std::string_view name;
  std::int64_t below;  // of random numbers unless said otherwise; 0: not whole numbers
};

// 0 and 1 are in every table of embeddings; pixels have 256 values.
constexpr std::array<DataType, 12> kDataTypes = {{{"float32", 0},
                                                  {"float64", 0},
                                                  {"float16", 0},
                                                  {"bfloat16", 0},
                                                  {"complex64", 0},
                                                  {"complex128", 0},
                                                  {"int64", 2},
                                                  {"int32", 2},
                                                  {"int16", 2},
                                                  {"int8", 2},
                                                  {"uint8", 256},
                                                  {"bool", 2}}};

std::optional<std::int64_t> positive_number(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stop != end || value < 1) return std::nullopt;
  return value;
}

// What stands before the mark, which is taken off with it; all of it if there is none.
std::string_view take_until(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return taken;
}

Error not_an_input(const std::string& typed, const std::string& why) {
  return wrong_use("--input " + typed + ": " + why +
                   "; write SHAPE, SHAPE:DTYPE or NAME=SHAPE:DTYPE, for example 1x3x224x224 or "
                   "1x128:int64");
}

std::string listed_types() {
  std::string text;
  for (const DataType& type : kDataTypes) {
    text += (text.empty() ? "" : ", ") + std::string(type.name);
  }
  return text;
}

const DataType* type_named(std::string_view name) {
  for (const DataType& type : kDataTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace

Result<worker::InputTensor> parse_input(const std::string& typed) {
  worker::InputTensor input;
  std::string_view rest = typed;
  if (rest.find('=') != std::string_view::npos) {
    input.name = take_until(rest, '=');
    if (input.name.empty()) return not_an_input(typed, "there is no name before the =");
  }
  std::string_view shape = take_until(rest, ':');
  if (shape.empty()) return not_an_input(typed, "it has no shape");
  if (shape.ends_with('x')) return not_an_input(typed, "its last dimension has no size");
  while (!shape.empty()) {
    const std::string_view size = take_until(shape, 'x');
    const std::optional<std::int64_t> number = positive_number(size);
    if (!number) {
      return not_an_input(typed, "'" + std::string(size) + "' is no size of a dimension");
    }
    input.shape.push_back(*number);
  }
  const std::string_view name = rest.empty() ? "float32" : take_until(rest, ':');
  const DataType* type = type_named(name);
  if (type == nullptr) {
    return wrong_use("--input " + typed + ": there is no data type '" + std::string(name) +
                     "'; there are " + listed_types());
  }
  input.dtype = type->name;
  input.below = type->below;
  if (rest.empty()) return input;
  const std::optional<std::int64_t> below = positive_number(rest);
  if (!below || type->below == 0) {
    return not_an_input(typed,
                        "after a data type of whole numbers may stand what they are below, "
                        "as in 1x128:int64:30522");
  }
  input.below = *below;
  return input;
}

Result<std::vector<worker::InputTensor>> parse_inputs(const std::vector<std::string>& typed,
                                                      std::uint64_t batch_size) {
  std::vector<worker::InputTensor> inputs;
  inputs.reserve(typed.size());
  for (const std::string& one : typed) {
    Result<worker::InputTensor> input = parse_input(one);
    if (!input) return input.error();
    if (batch_size > 0) input->shape.front() = static_cast<std::int64_t>(batch_size);
    inputs.push_back(std::move(input).value());
  }
  return inputs;
}

}  // namespace sightline::cli
