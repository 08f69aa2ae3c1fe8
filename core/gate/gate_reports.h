// What a gate found, for people and for the programs that people look at in CI.
//
// Names come from the command line and from run files, so each form escapes what could steer its
// reader.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/export.h"
#include "core/gate/gate.h"
#include "core/profile/report/report_text.h"

namespace sightline::gate {

struct GateReport {
  Checks checks;
  std::string base_name;  // of the run files, as they were typed
  std::string now_name;
  bool strict = false;  // what cannot be decided counts as failed

  bool fails(const Check& check) const {
    return check.outcome == Outcome::Failed || (strict && check.outcome == Outcome::Undecided);
  }
  bool failed() const;
};

// One line: "1 of 3 limits is exceeded".
SIGHTLINE_API std::string summary_in_words(const GateReport& report);
// One line about one limit, with its figures.
SIGHTLINE_API std::string check_in_words(const Check& check);

SIGHTLINE_API std::string render_gate(const GateReport& report,
                                      const profile::TextOptions& options);
SIGHTLINE_API std::string render_gate_json(const GateReport& report);
// A table in the Markdown of GitHub and GitLab.
SIGHTLINE_API std::string render_gate_markdown(const GateReport& report);
// JUnit's XML: a test case for each limit; what cannot be decided is skipped.
SIGHTLINE_API std::string render_gate_junit(const GateReport& report);
// A line for each limit that is exceeded (an error) or undecided (a warning), as the runners of
// GitHub take them from the standard output.
SIGHTLINE_API std::string render_github_annotations(const GateReport& report);

}  // namespace sightline::gate
