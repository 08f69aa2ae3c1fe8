// Why an analysis did not succeed, in words for the person whose code it is.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace sightline::worker {

struct Failure {
  enum class Kind {
    UserCode,     // it is wrong, raised, hung or died
    OutOfMemory,  // it raised for want of memory, or was killed
    Unusable,     // the Python has not what it takes
    Interrupted,  // by a signal
  };
  Kind kind = Kind::UserCode;
  std::string what;  // one sentence, without a full stop
  std::string file;  // relative to the root; may be empty
  std::uint32_t line = 0;
  std::string remedy;           // may be empty, and have several lines
  std::string details;          // a traceback, or where it hung
  std::string output;           // what the user's code printed, the end of it
  int signal = 0;               // that interrupted us
  bool missing_import = false;  // an import did not find what it names
  bool worker_gone = false;     // not the analysis ended, but the process that it was forked from
};

// From the facts that the worker tells. `stage` is what was going on: "model", "inputs", ...
Failure failure_from(const nlohmann::json& facts, const std::string& stage);

// A signal, or another task, has ended it.
Failure failure_of_interruption(int signal);

// Python, torch or sightline cannot be used; `text` says why, and may begin with our name.
Failure failure_of_setup(std::string text);

struct Place {
  std::string file;  // relative to the root; empty: not known
  std::uint32_t line = 0;
};
// What is known of where a process was when it said no more.
struct Whereabouts {
  std::string stack_report;  // what Python's faulthandler wrote; nothing if it was killed
  std::string root;          // the folder whose lines are the user's
  Place stage;               // where the user's part of the stage begins
};
// The process of the analysis ended without a word.
Failure failure_of_ending(int exit_code, int signal, const std::string& stage,
                          const Whereabouts& whereabouts);
// A stage took longer than that.
Failure failure_of_hang(const std::string& stage, double seconds, const Whereabouts& whereabouts);

// The message: what, where, what to do; then details and output if there are any.
std::string render(const Failure& failure);

}  // namespace sightline::worker
