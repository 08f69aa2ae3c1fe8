#include "cli/measure_target.h"

#include <filesystem>
#include <system_error>

#include "cli/complaint.h"
#include "cli/input_tensors.h"
#include "cli/project_file.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPython = ".py";

bool is_dotted_name(const std::string& text) {
  bool begins = true;
  for (const char letter : text) {
    const bool digit = letter >= '0' && letter <= '9';
    const bool other = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       letter == '_' || static_cast<unsigned char>(letter) >= 0x80;
    if (letter == '.' ? begins : !other && (!digit || begins)) return false;
    begins = letter == '.';
  }
  return !begins;
}

Result<void> set_factory(const std::string& typed, std::size_t colon, const fs::path& root,
                         worker::MeasureRequest& request) {
  const std::string where = typed.substr(0, colon);
  request.factory = typed.substr(colon + 1);
  if (!is_dotted_name(request.factory)) {
    return wrong_use("after the colon of " + typed +
                     " stands the name of what makes the model, as in " + where + ":Net");
  }
  if (where.ends_with(kPython)) {
    const Result<fs::path> file = find_python_file(where, "the model", root);
    if (!file) return file.error();
    request.file = file->string();
    return {};
  }
  if (!is_dotted_name(where)) {
    return wrong_use(where + " is neither a module of Python nor a file NAME.py");
  }
  request.module = where;
  return {};
}

Result<void> set_target(const MeasureTarget& target, const fs::path& root,
                        worker::MeasureRequest& request) {
  const std::string& typed = target.typed;
  const std::size_t colon = typed.rfind(':');
  if (colon != std::string::npos) {
    if (target.inputs.empty()) {
      return wrong_use("what is " + typed +
                       " called with? give its inputs, for example --input 1x3x224x224");
    }
    return set_factory(typed, colon, root, request);
  }
  if (!typed.ends_with(kPython)) {
    return wrong_use(typed +
                     " is no entry point; give ENTRY.py, or what makes the model as FILE.py:NAME "
                     "or package.module:NAME");
  }
  if (!target.inputs.empty()) {
    return wrong_use("--input goes with FILE.py:NAME or package.module:NAME; the entry point " +
                     typed + " makes its inputs itself");
  }
  const Result<fs::path> entry = find_python_file(typed, "the entry point", root);
  if (!entry) return entry.error();
  request.entry = entry->string();
  return {};
}

std::string joined(const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& input : inputs) text += (text.empty() ? "" : " --input ") + input;
  return text;
}

}  // namespace

Result<worker::MeasureRequest> request_of(const MeasureTarget& target) {
  std::error_code no_folder;
  const fs::path root = fs::canonical(".", no_folder);
  if (no_folder) return wrong_use("the current folder does not exist");
  worker::MeasureRequest request;
  if (Result<void> known = set_target(target, root, request); !known) return known.error();
  auto inputs = parse_inputs(target.inputs, target.running.batch_size);
  if (!inputs) return inputs.error();
  request.inputs = std::move(inputs).value();
  request.shown_inputs = joined(target.inputs);
  request.root = root.string();
  request.name = target.typed;
  request.batch_size = target.running.batch_size;
  request.device = target.running.device;
  request.timeout_s = target.running.timeout_s;
  request.repetitions = target.repetitions;
  request.backward = !target.no_backward;
  request.evaluation = target.evaluation;
  return request;
}

}  // namespace sightline::cli
