#include "worker/profiling.h"

#include <fmt/format.h>

#include "core/profile/memory_limits.h"
#include "core/profile/report/units.h"
#include "core/profile/step_count.h"
#include "worker/batch_sampling.h"
#include "worker/stages.h"

namespace sightline::worker {
namespace {

std::string told(std::span<const std::uint64_t> wall_ns) {
  if (wall_ns.size() <= profile::kWarmUpSteps) return "warming up";
  const auto counted = wall_ns.subspan(profile::kWarmUpSteps);
  const profile::Spread spread = profile::spread_of(counted);
  return fmt::format("measuring: {} steps, {} each, +- {:.1f} %", counted.size(),
                     profile::format_time(spread.median_ns),
                     spread.error_of_mean(counted.size()) * 100);
}

std::optional<Failure> run_until_stable(Analysis& analysis, ProfileListener& listener) {
  std::vector<std::uint64_t> wall_ns;
  while (const std::size_t more = profile::more_steps(wall_ns)) {
    listener.progress(ProfilePart::Measuring, told(wall_ns));
    Outcome<Steps> steps = analysis.run_steps(more);
    if (auto* failure = std::get_if<Failure>(&steps)) return std::move(*failure);
    const Steps& done = std::get<Steps>(steps);
    wall_ns.insert(wall_ns.end(), done.wall_ns.begin(), done.wall_ns.end());
  }
  return std::nullopt;
}

// The batch size.
Outcome<std::uint64_t> record(WorkerProcess& worker, const AnalysisRequest& request,
                              ProfileListener& listener) {
  Analysis analysis(worker, request, [&](const std::string& stage) {
    const std::string_view doing = words_of_stage(stage).doing;
    if (!doing.empty()) listener.progress(ProfilePart::Loading, std::string(doing));
  });
  Outcome<std::uint64_t> opened = analysis.open();
  if (std::holds_alternative<Failure>(opened)) return opened;
  if (std::optional<Failure> failure = run_until_stable(analysis, listener)) return *failure;
  if (std::optional<Failure> failure = analysis.close()) return *failure;
  return opened;
}

}  // namespace

Outcome<BatchSamples> profile(WorkerProcess& worker, const ProfileRequest& request,
                              ProfileListener& listener) {
  const Outcome<std::uint64_t> recorded = record(worker, request.analysis, listener);
  if (const auto* failure = std::get_if<Failure>(&recorded)) return *failure;
  listener.recorded();
  if (!request.throughput) return BatchSamples{};
  AnalysisRequest sampled = request.analysis;
  sampled.run = request.sampling_run;
  sampled.observe = false;
  const profile::BatchLimits limits = {
      .resident_bytes = profile::share_to_take(profile::available_memory_bytes())};
  return sample_batches(worker, sampled, std::get<std::uint64_t>(recorded), limits, listener);
}

}  // namespace sightline::worker
