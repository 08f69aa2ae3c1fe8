#include "worker/failure.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "worker/factory_problems.h"
#include "worker/provider_problems.h"
#include "worker/stages.h"

namespace sightline::worker {
namespace {

namespace fs = std::filesystem;

std::string during(const std::string& stage) { return std::string(words_of_stage(stage).during); }

std::string loaded_file(const std::string& stage) {
  if (stage == "factory") return "a module with models";
  return stage == "file" ? "a file with models" : "an entry point";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string seconds_text(double seconds) {
  std::ostringstream text;
  text << seconds << (seconds == 1 ? " second" : " seconds");
  return text.str();
}

bool is_our_frame(const std::string& line) {
  for (const char* ours : {"_user_file.py", "_entry_point.py", "_inspection.py", "_measuring.py"}) {
    if (line.find(std::string("/sightline/") + ours + "\"") != std::string::npos) return true;
  }
  return false;
}

// The frames of the user's code, which stand above ours: a report has the innermost first.
std::string without_our_frames(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (is_our_frame(line)) break;
    kept += line + "\n";
  }
  return kept;
}

// Of the innermost frame below the root:
//   File "/home/me/project/model.py", line 12 in forward
void set_place(Failure& failure, const StackReport& report) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kLine = "\", line ";
  failure.details = without_our_frames(report.text);
  std::istringstream lines(failure.details);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find(kFile);
    const std::size_t end = line.find(kLine);
    if (start == std::string::npos || end == std::string::npos) continue;
    const std::string path = line.substr(start + kFile.size(), end - start - kFile.size());
    const fs::path relative = fs::path(path).lexically_relative(report.root);
    if (relative.empty() || *relative.begin() == "..") continue;
    if (path.find("site-packages") != std::string::npos) continue;
    failure.file = relative.string();
    failure.line =
        static_cast<std::uint32_t>(std::strtoul(line.c_str() + end + kLine.size(), nullptr, 10));
    return;
  }
}

void append_block(std::string& text, const std::string& title, const std::string& block) {
  if (block.empty()) return;
  text += "\n" + title + "\n" + block;
  if (text.back() != '\n') text += '\n';
}

}  // namespace

Failure failure_from(const nlohmann::json& facts, const std::string& stage) {
  Failure failure;
  failure.file = facts.value("file", "");
  failure.line = facts.value("line", 0U);
  failure.details = facts.value("traceback", "");
  const std::string kind = facts.value("kind", "");
  const std::string text = facts.value("text", "");
  if (describe_provider_problem(facts, failure) || describe_factory_problem(facts, failure)) {
    if (facts.contains("inputs")) failure.remedy = remedy_for_inputs(facts);
    return failure;
  }
  if (kind == "recording_failed") {
    failure.what = text;
  } else if (kind == "syntax_error") {
    failure.what = "the file has a syntax error: " + text;
    failure.details = facts.value("source", "");
  } else if (kind == "import_failed") {
    failure.missing_import = true;
    failure.what = first_line(text) + " (" + facts.value("type", "") + ")";
    failure.remedy =
        "the search path has the entry point's folder and the project's root, which is the folder "
        "that\nsightline was started in; install what is missing, or start it in another folder";
  } else if (kind == "exited") {
    failure.what = "the code called exit " + during(stage) + " (with " + facts.value("code", "") +
                   "); " + loaded_file(stage) + " is only loaded, it must not end the program";
  } else if (kind == "not_python") {
    failure.what = "the file is not the text of a Python program";
  } else if (kind == "another_module") {
    failure.missing_import = true;
    failure.what = "import " + facts.value("name", "") + " finds " + facts.value("got", "") +
                   ", and not this file";
    failure.remedy = "give the file a name that nothing else has";
  } else if (kind == "no_cuda") {
    failure.what = "the code asks for a CUDA device, and there is none here";
    failure.remedy = "--device cpu runs it on the CPU, unchanged";
  } else if (kind == "no_such_device") {
    failure.kind = Failure::Kind::Unusable;
    failure.what = "torch has no device " + facts.value("device", "") + " here";
    failure.remedy = "it has: " + facts.value("available", "");
  } else if (kind == "out_of_memory") {
    failure.kind = Failure::Kind::OutOfMemory;
    failure.what = "there was not enough memory " + during(stage) + ": " + first_line(text);
    failure.remedy = "a smaller batch needs less: --batch-size N";
  } else {
    failure.what = facts.value("type", "an error") + " " + during(stage) + ": " + first_line(text);
    failure.remedy = remedy_for_inputs(facts);
  }
  return failure;
}

Failure failure_of_ending(int exit_code, int signal, const std::string& stage,
                          const StackReport& report) {
  Failure failure;
  if (signal == SIGKILL) {
    failure.kind = Failure::Kind::OutOfMemory;
    failure.what =
        "the process was killed " + during(stage) + "; most likely the system ran out of memory";
    failure.remedy = "a smaller batch needs less: --batch-size N";
  } else if (signal != 0) {
    failure.what = "the process crashed " + during(stage) + ": " + strsignal(signal) + " (signal " +
                   std::to_string(signal) + ")";
    set_place(failure, report);
  } else {
    failure.what = "the code ended its process " + during(stage) + ", with exit code " +
                   std::to_string(exit_code);
  }
  return failure;
}

Failure failure_of_interruption(int signal) {
  Failure failure;
  failure.kind = Failure::Kind::Interrupted;
  failure.what = "interrupted";
  failure.signal = signal;
  return failure;
}

Failure failure_of_setup(std::string text) {
  constexpr std::string_view kOurName = "sightline: ";
  if (text.starts_with(kOurName)) text.erase(0, kOurName.size());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  Failure failure;
  failure.kind = Failure::Kind::Unusable;
  failure.what = std::move(text);
  return failure;
}

Failure failure_of_hang(const std::string& stage, double seconds, const StackReport& report) {
  Failure failure;
  failure.what = "nothing came back within " + seconds_text(seconds) + " " + during(stage);
  failure.remedy = "--timeout S waits longer";
  set_place(failure, report);
  return failure;
}

std::string render(const Failure& failure) {
  std::string text = "sightline: " + failure.what + "\n";
  if (!failure.file.empty()) {
    text += "  at " + failure.file;
    if (failure.line != 0) text += ":" + std::to_string(failure.line);
    text += '\n';
  }
  std::istringstream remedy(failure.remedy);
  for (std::string line; std::getline(remedy, line);) text += "  " + line + "\n";
  append_block(text, "Where it happened:", failure.details);
  append_block(text, "What the code printed:", failure.output);
  return text;
}

}  // namespace sightline::worker
