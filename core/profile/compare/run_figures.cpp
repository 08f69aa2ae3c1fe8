#include "core/profile/compare/run_figures.h"

#include <algorithm>
#include <array>

#include "core/profile/compare/step_noise.h"

namespace sightline::profile {
namespace {

constexpr double kNsOfMs = 1e6;
// The operating system has a say in the size of a process: two of these errors are 1 %.
constexpr double kErrorOfProcess = 0.005;

constexpr Metric kExecutionTime = {"execution_time", "mean time of a step", Unit::Milliseconds};
constexpr Metric kSpeed = {"samples_per_second", "samples per second", Unit::PerSecond,
                           Better::Higher};
constexpr Metric kSampleTime = {"sample_time", "time of a step for each sample",
                                Unit::Milliseconds};
constexpr std::array<Metric, model::kPhases> kPhaseTimes = {{
    {"data_time", "of a step, waiting for data", Unit::Milliseconds},
    {"forward_time", "of a step, forward", Unit::Milliseconds},
    {"backward_time", "of a step, backward", Unit::Milliseconds},
    {"optimizer_time", "of a step, in the optimizer", Unit::Milliseconds},
    {"other_time", "of a step, the rest", Unit::Milliseconds},
}};
constexpr Metric kPeak = {"peak_bytes", "the framework's memory at the peak", Unit::Bytes};
constexpr Metric kProcessPeak = {"process_peak_bytes", "memory of the whole process at the peak",
                                 Unit::Bytes};

Figure time_figure(const Metric& metric, double ns, double error_ns, bool known) {
  if (!known) return {metric};
  return {metric, ns / kNsOfMs, error_ns / kNsOfMs};
}

std::array<double, model::kPhases> phase_means_ns(const model::Totals& totals) {
  std::array<double, model::kPhases> means{};
  for (std::size_t kind = 0; kind < model::kCostKinds; ++kind) {
    const auto phase =
        static_cast<std::size_t>(model::phase_of(static_cast<model::CostKind>(kind)));
    means[phase] += static_cast<double>(totals.kind_ns[kind]) /
                    static_cast<double>(std::max<std::uint64_t>(totals.counted_steps, 1));
  }
  return means;
}

void add_times(const model::Run& run, std::vector<Figure>& figures) {
  const StepNoise noise = noise_of(run);
  const bool timed = run.totals.counted_steps > 0 && noise.all_ns > 0.0;
  const bool sampled = timed && run.totals.batch_size > 0;
  const double batch = static_cast<double>(std::max<std::uint64_t>(run.totals.batch_size, 1));
  figures.push_back(time_figure(kExecutionTime, noise.all_ns, noise.step_ns, timed));
  figures.push_back(time_figure(kSampleTime, noise.all_ns / batch, noise.step_ns / batch, sampled));
  Figure speed{kSpeed};
  if (sampled) {
    speed.value = 1e9 * batch / noise.all_ns;
    speed.error = *speed.value * noise.step_ns / noise.all_ns;
  }
  figures.push_back(speed);
  const auto means_ns = phase_means_ns(run.totals);
  for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
    figures.push_back(
        time_figure(kPhaseTimes[phase], means_ns[phase], noise.phase_ns[phase], timed));
  }
  for (Figure& figure : figures) figure.assumed = noise.assumed;
}

}  // namespace

std::vector<Figure> figures_of_run(const model::Run& run) {
  std::vector<Figure> figures;
  add_times(run, figures);
  Figure peak{kPeak};
  if (run.memory.known) peak.value = static_cast<double>(run.memory.peak_bytes);
  figures.push_back(peak);
  Figure process{kProcessPeak};
  if (run.memory.process_peak_bytes > 0) {
    process.value = static_cast<double>(run.memory.process_peak_bytes);
    process.error = kErrorOfProcess * *process.value;
  }
  figures.push_back(process);
  return figures;
}

}  // namespace sightline::profile
