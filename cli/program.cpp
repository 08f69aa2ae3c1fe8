#include "cli/program.h"

#include <array>
#include <cstdio>
#include <exception>
#include <string_view>

#include "cli/complaint.h"
#include "cli/verbs.h"
#include "core/base/version.h"

namespace sightline::cli {
namespace {

struct Verb {
  std::string_view name;
  std::string_view summary;
  int (*main)(const std::vector<std::string>& arguments);
};

constexpr std::array<Verb, 13> kVerbs = {{
    {"init", "write an entry point for a model, ready for profile", init_main},
    {"profile", "run steps of an entry point and record where they spend time and memory",
     profile_main},
    {"interactive", "show the same in a page that follows your edits", interactive_main},
    {"run", "run a training script and record where its steps spend time and memory", run_main},
    {"report", "show what a recorded run holds: by line, by module, by phase", report_main},
    {"view", "show recorded runs in a page", view_main},
    {"watch", "show in the terminal how a training goes, while it runs", watch_main},
    {"compare",
     "say what changed between runs or between models, and whether it is more than chance",
     compare_main},
    {"measure", "say what a model costs: parameters, arithmetic, memory and time, by layer",
     measure_main},
    {"gate", "check that a run, or a model, stays within limits that another one sets", gate_main},
    {"export", "write a run for other programs: a trace, a flame graph, tables", export_main},
    {"demo", "show all this on an example that comes along", demo_main},
    {"doctor", "tell what is installed, what fits, and what to do about what does not",
     doctor_main},
}};

std::string help() {
  std::string text =
      "Sightline shows where the steps of a neural network's training spend time and memory,\n"
      "line by line of your own code.\n\n"
      "  sightline run train.py --epochs 1        record a script, just as it is\n"
      "  sightline report train-*.sightline       see where its steps go\n\n"
      "Verbs:\n";
  for (const Verb& verb : kVerbs) {
    text += "  " + std::string(verb.name) + std::string(13 - verb.name.size(), ' ') +
            std::string(verb.summary) + "\n";
  }
  return text +
         "\nsightline VERB --help tells more, with examples. sightline --version prints the "
         "version.\n";
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    std::fputs(help().c_str(), stderr);
    return kExitWrongUse;
  }
  const std::string& word = arguments.front();
  if (word == "--version" || word == "-V") {
    std::printf("sightline %s\n", kVersion);
    return kExitSuccess;
  }
  if (word == "--help" || word == "-h" || word == "help") {
    std::fputs(help().c_str(), stdout);
    return kExitSuccess;
  }
  for (const Verb& verb : kVerbs) {
    if (verb.name == word) return verb.main({arguments.begin() + 1, arguments.end()});
  }
  return complain("there is no verb '" + word + "'", "sightline --help lists the verbs",
                  kExitWrongUse);
}

}  // namespace

int run_program(const std::vector<std::string>& arguments) {
  try {
    return dispatch(arguments);
  } catch (const std::exception& failure) {
    return complain(std::string("something unexpected happened: ") + failure.what(),
                    "this is a fault in sightline; please report it with the command you gave",
                    kExitFailure);
  }
}

}  // namespace sightline::cli
