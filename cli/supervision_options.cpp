#include "cli/supervision_options.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "cli/complaint.h"
#include "cli/threshold_options.h"
#include "core/store/training_reader.h"
#include "core/supervise/rules/rule_names.h"

namespace sightline::cli {
namespace {

Result<void> check_known(const char* option, const std::vector<std::string>& rules) {
  for (const std::string& rule : rules) {
    if (std::find(supervise::kRuleNames.begin(), supervise::kRuleNames.end(), rule) !=
        supervise::kRuleNames.end()) {
      continue;
    }
    return wrong_use(fmt::format("{}: there is no rule '{}'; the rules are {}", option, rule,
                                 fmt::join(supervise::kRuleNames, ", ")));
  }
  return {};
}

}  // namespace

void describe_supervision(CLI::App& app, SupervisionOptions& options) {
  app.add_option("--supervise", options.mode,
                 "watch gradients, weights, activations and the loss, and say what is wrong;\n"
                 "--supervise=full watches the updates too, which takes a copy of the weights")
      ->expected(0, 1)
      ->default_str("light")
      ->check(CLI::IsMember({"light", "full"}).description(""))
      ->option_text("[=light|full]");
  app.add_option("--supervise-budget", options.budget_percent,
                 "what --supervise may add to the time of the steps (5); where every step would\n"
                 "cost more, the tensors of some steps are not looked at")
      ->check(CLI::Range(0.01, 1e6).description(""))
      ->type_name("PERCENT");
  const auto add_rules = [&](const char* name, std::vector<std::string>& rules, const char* about) {
    app.add_option(name, rules, about)->type_name("RULE")->expected(1)->take_all();
  };
  add_rules("--stop-on", options.stop_on,
            "end the training, as Ctrl-C does, when this rule speaks; may be repeated");
  add_rules("--fail-on", options.fail_on, "exit with 1 if this rule has spoken; may be repeated");
  describe_thresholds(app, options.thresholds,
                      "when rules speak, for example dead_share=0.3; may be repeated");
}

Result<std::string> mode_of(const SupervisionOptions& options) {
  if (Result<void> known = check_known("--stop-on", options.stop_on); !known) return known.error();
  if (Result<void> known = check_known("--fail-on", options.fail_on); !known) return known.error();
  if (!options.mode.empty()) return options.mode;
  const bool needed =
      !options.stop_on.empty() || !options.fail_on.empty() || !options.thresholds.empty();
  return std::string(needed ? "light" : "");
}

int check_rules(const std::filesystem::path& run, const std::vector<std::string>& rules) {
  if (rules.empty()) return kExitSuccess;
  const Result<store::TrainingReader> reader = store::TrainingReader::open(run);
  if (!reader) return complain(reader.error());
  const Result<std::vector<model::Verdict>> verdicts = reader->verdicts();
  if (!verdicts) return complain(verdicts.error());
  for (const model::Verdict& verdict : verdicts.value()) {
    if (std::find(rules.begin(), rules.end(), verdict.rule) == rules.end()) continue;
    return complain(
        "--fail-on " + verdict.rule + ": it spoke at step " + std::to_string(verdict.step),
        verdict.advice, kExitFailure);
  }
  return kExitSuccess;
}

}  // namespace sightline::cli
