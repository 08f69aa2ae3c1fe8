#include "core/gate/gate.h"

#include <algorithm>
#include <cmath>

#include "core/measure/compare/measurement_comparison.h"
#include "core/measure/compare/measurement_figures.h"
#include "core/profile/compare/run_figures.h"

namespace sightline::gate {
namespace {

using profile::Figure;

constexpr double kRounding = 1e-9;  // of the bound: 1.05 times a whole number is none

// One name for both kinds of runs. A measurement has two peaks; the first that both have counts.
constexpr std::string_view kPeakBytes = "peak_bytes";
constexpr std::string_view kPeaksOfMeasurement[] = {"training_peak_bytes", "inference_peak_bytes"};

Error wrong_use(std::string message) { return {ErrorKind::InvalidArgument, std::move(message)}; }

std::vector<Figure> figures_of(const model::Run& run) {
  return run.measurement ? measure::figures_of_measurement(*run.measurement)
                         : profile::figures_of_run(run);
}

std::string listed(bool of_measurements) {
  std::string text;
  for (const profile::Metric& metric : known_metrics(of_measurements)) {
    text += (text.empty() ? "" : ", ") + std::string(metric.name);
  }
  return text;
}

struct Pair {
  Figure base;
  Figure now;
};

class Figures {
 public:
  Figures(const model::Run& base, const model::Run& now)
      : measured_(base.measurement.has_value()), base_(figures_of(base)), now_(figures_of(now)) {}

  Result<Pair> named(const std::string& name) const {
    const std::string_view found = resolved(name);
    const Figure* base = profile::figure_named(base_, found);
    const Figure* now = profile::figure_named(now_, found);
    if (base == nullptr || now == nullptr) return unknown(name);
    if (!base->value || !now->value) return not_measured(name, base->value.has_value());
    return Pair{*base, *now};
  }

 private:
  std::string_view resolved(std::string_view name) const {
    if (!measured_ || name != kPeakBytes) return name;
    for (const std::string_view peak : kPeaksOfMeasurement) {
      if (profile::figure_named(base_, peak)->value && profile::figure_named(now_, peak)->value) {
        return peak;
      }
    }
    return kPeaksOfMeasurement[0];
  }

  Error unknown(const std::string& name) const {
    const std::string what = measured_ ? "measurements" : "recorded runs";
    return wrong_use("there is no metric " + name + " of " + what + "; there are " +
                     listed(measured_));
  }

  Error not_measured(const std::string& name, bool in_base) const {
    const std::string which = in_base ? "the new run" : "the base";
    return wrong_use(name + " was not measured in " + which + ", so no limit can be put on it");
  }

  bool measured_;
  std::vector<Figure> base_;
  std::vector<Figure> now_;
};

Outcome judged(double excess, double noise, double bound) {
  const double rounding = kRounding * std::abs(bound);
  if (noise == 0.0) return excess > rounding ? Outcome::Failed : Outcome::Passed;
  if (excess > noise) return Outcome::Failed;
  return excess < -noise ? Outcome::Passed : Outcome::Undecided;
}

Result<Check> check_one(const Figures& figures, const Limit& limit) {
  Result<Pair> pair = figures.named(limit.metric);
  if (!pair) return pair.error();
  Check check{limit, pair->base, pair->now};
  double scale = 1.0;  // of the base's error in the error of the bound
  if (limit.kind == LimitKind::Percent) {
    scale = 1.0 + limit.amount / 100.0;
    check.bound = scale * *check.base.value;
  } else {
    const Result<double> amount = amount_in(limit, check.base.metric);
    if (!amount) return amount.error();
    scale = limit.kind == LimitKind::Difference ? 1.0 : 0.0;
    check.bound = scale * *check.base.value + amount.value();
  }
  check.noise = profile::noise_between(check.base, check.now, scale);
  const double above = *check.now.value - check.bound;
  check.outcome = judged(limit.side == Side::AtMost ? above : -above, check.noise, check.bound);
  return check;
}

void note_differences(const model::Run& base, const model::Run& now, Checks& checks) {
  const auto note = [&](const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) checks.notes.push_back("not the same " + what + ": " + a + " and " + b);
  };
  if (base.measurement) {
    note("inputs", base.measurement->inputs, now.measurement->inputs);
    note("mode", base.measurement->training_mode ? "training" : "evaluation",
         now.measurement->training_mode ? "training" : "evaluation");
  } else {
    note("batch size", std::to_string(base.totals.batch_size),
         std::to_string(now.totals.batch_size));
  }
  for (const profile::Difference& one : profile::differing_conditions(base.info, now.info)) {
    note(one.what, one.before, one.after);
  }
}

// Where a time is checked, what the layers say about the machine.
void note_machine(const model::Run& base, const model::Run& now, Checks& checks) {
  const bool timed = std::any_of(checks.checks.begin(), checks.checks.end(), [](const Check& one) {
    return one.base.metric.unit == profile::Unit::Milliseconds;
  });
  if (!base.measurement || !timed) return;
  for (const std::string& note : measure::compare_measurements({&base, &now}).notes) {
    checks.notes.push_back(note);
  }
}

void note_assumptions(Checks& checks) {
  const bool assumed = std::any_of(
      checks.checks.begin(), checks.checks.end(),
      [](const Check& one) { return one.noise > 0.0 && (one.base.assumed || one.now.assumed); });
  if (!assumed) return;
  checks.notes.emplace_back(
      "too few repetitions to know the noise of times, so a tenth is assumed; measure longer");
}

}  // namespace

std::optional<double> Check::percent() const {
  if (*base.value == 0.0) return std::nullopt;
  return 100.0 * (*now.value - *base.value) / *base.value;
}

std::size_t Checks::count(Outcome outcome) const {
  return static_cast<std::size_t>(std::count_if(
      checks.begin(), checks.end(), [&](const Check& check) { return check.outcome == outcome; }));
}

Result<Checks> check(const model::Run& base, const model::Run& now,
                     const std::vector<Limit>& limits) {
  if (base.measurement.has_value() != now.measurement.has_value()) {
    return wrong_use(
        "one is a measurement of a model, the other a recorded run; give two of a kind");
  }
  const Figures figures(base, now);
  Checks checks;
  for (const Limit& limit : limits) {
    Result<Check> one = check_one(figures, limit);
    if (!one) return one.error();
    checks.checks.push_back(std::move(one).value());
  }
  note_differences(base, now, checks);
  note_machine(base, now, checks);
  note_assumptions(checks);
  return checks;
}

std::vector<profile::Metric> known_metrics(bool of_measurements) {
  const std::vector<Figure> figures =
      of_measurements ? measure::figures_of_measurement({}) : profile::figures_of_run({});
  std::vector<profile::Metric> metrics;
  metrics.reserve(figures.size() + 1);
  for (const Figure& figure : figures) metrics.push_back(figure.metric);
  if (of_measurements) {
    metrics.push_back(
        {kPeakBytes, "the training peak, or the inference peak without one", profile::Unit::Bytes});
  }
  return metrics;
}

}  // namespace sightline::gate
