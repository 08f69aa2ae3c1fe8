#include "core/profile/compare/step_noise.h"

#include <algorithm>
#include <cmath>

#include "core/profile/statistics.h"

namespace sightline::profile {
namespace {

constexpr double kOutlier = 5.0;
constexpr double kMedianToMean = 1.2533;
constexpr std::size_t kStretches = 8;
constexpr std::size_t kRowsForStretches = 32;

double error_of_independent(const std::vector<double>& values, double steps) {
  const double middle = median(values);
  const double bulk = robust_deviation(values);
  double outliers = 0.0;
  for (const double value : values) {
    const double distance = std::abs(value - middle);
    if (distance > kOutlier * bulk) outliers += distance * distance;
  }
  return std::sqrt((bulk * bulk + outliers / static_cast<double>(values.size())) / steps);
}

double error_of_stretches(const std::vector<double>& values) {
  if (values.size() < kRowsForStretches) return 0.0;
  const auto at = [&](std::size_t stretch) {
    return values.begin() + static_cast<std::ptrdiff_t>(stretch * values.size() / kStretches);
  };
  std::vector<double> medians;
  medians.reserve(kStretches);
  for (std::size_t stretch = 0; stretch < kStretches; ++stretch) {
    medians.push_back(median(std::vector<double>(at(stretch), at(stretch + 1))));
  }
  return robust_deviation(medians) / kMedianToMean / std::sqrt(static_cast<double>(kStretches));
}

double phase_of_step(const model::Step& step, std::size_t phase) {
  double sum = 0.0;
  for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
    if (static_cast<std::size_t>(model::phase_of(static_cast<model::CostKind>(kind))) == phase) {
      sum += static_cast<double>(step.kind_ns[kind]);
    }
  }
  return sum;
}

}  // namespace

double standard_error(const std::vector<double>& values, std::uint64_t steps) {
  if (values.size() < 2) return 0.0;
  const std::uint64_t in_mean = std::max<std::uint64_t>(steps, values.size());
  return std::max(error_of_independent(values, static_cast<double>(in_mean)),
                  error_of_stretches(values));
}

double StepNoise::of_part(double part_ns) const {
  if (all_ns <= 0.0 || part_ns <= 0.0) return 0.0;
  return step_ns * std::sqrt(std::min(1.0, part_ns / all_ns));
}

StepNoise noise_of(const model::Run& run) {
  StepNoise noise;
  const std::uint64_t steps = run.totals.counted_steps;
  if (steps == 0) return noise;
  noise.all_ns = static_cast<double>(run.totals.wall_ns) / static_cast<double>(steps);
  std::vector<double> wall_ns;
  std::array<std::vector<double>, model::kPhases> phase_ns;
  for (const model::Step& step : run.steps) {
    if (step.role != model::StepRole::Counted) continue;
    wall_ns.push_back(static_cast<double>(step.wall_ns));
    for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
      phase_ns[phase].push_back(phase_of_step(step, phase));
    }
  }
  noise.assumed = wall_ns.size() < kStepsToJudge;
  noise.step_ns = noise.assumed ? kAssumedNoise * noise.all_ns : standard_error(wall_ns, steps);
  for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
    noise.phase_ns[phase] = standard_error(phase_ns[phase], steps);
  }
  if (!noise.assumed) return noise;
  std::array<double, model::kPhases> sums{};
  for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
    sums[static_cast<std::size_t>(model::phase_of(static_cast<model::CostKind>(kind)))] +=
        static_cast<double>(run.totals.kind_ns[kind]) / static_cast<double>(steps);
  }
  for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
    noise.phase_ns[phase] = noise.of_part(sums[phase]);
  }
  return noise;
}

}  // namespace sightline::profile
