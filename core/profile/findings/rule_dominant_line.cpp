#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kLineShare = 0.50;
constexpr double kModuleShare = 0.60;

// The innermost module that holds so much, if it is not the whole model.
const ModuleRow* dominant_module(const Facts& facts) {
  const ModuleRow* found = nullptr;
  for (const ModuleRow& module : facts.breakdown.modules) {  // the largest first
    if (facts.share(module.times.sum()) < kModuleShare) break;
    if (module.parent != model::kNone) found = &module;
  }
  return found;
}

}  // namespace

void find_dominant_line(const Facts& facts, std::vector<Finding>& findings) {
  const auto& lines = facts.breakdown.lines;
  const auto& descent = facts.breakdown.descent;
  if (lines.empty()) return;
  const LineRow& line = descent ? descent->before : lines.front();
  const double line_share = facts.share(line.self_ns());
  if (line_share >= kLineShare) {
    Finding finding = finding_at("dominant-line", Severity::Info, &line);
    finding.title = "one line takes " + format_percent(100 * line_share) + " of a step";
    finding.evidence = {{"ms", facts.ms_per_step(line.self_ns())},
                        {"share_percent", 100 * line_share}};
    finding.advice =
        "Look here first: what makes this line faster makes the step faster almost as much.";
    findings.push_back(std::move(finding));
  } else if (const ModuleRow* module = dominant_module(facts)) {
    const double share = facts.share(module->times.sum());
    Finding finding = finding_of("dominant-module", Severity::Info);
    finding.title = "the module " + module->path + " (" + module->type + ") takes " +
                    format_percent(100 * share) + " of a step";
    finding.evidence = {{"ms", facts.ms_per_step(module->times.sum())},
                        {"share_percent", 100 * share}};
    finding.advice = "The other parts of the model hardly matter for its speed.";
    findings.push_back(std::move(finding));
  }
}

}  // namespace sightline::profile
