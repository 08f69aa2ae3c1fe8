#include "worker/profiling.h"

#include <fmt/format.h>

#include "core/profile/step_count.h"

namespace sightline::worker {
namespace {

std::string told(const std::string& stage) {
  if (stage == "entry") return "loading the entry point";
  if (stage == "model") return "making the model";
  if (stage == "inputs") return "making the inputs";
  if (stage == "iteration") return "making the iteration";
  return "";
}

std::string told(std::span<const std::uint64_t> wall_ns) {
  if (wall_ns.size() <= profile::kWarmUpSteps) return "warming up";
  const auto counted = wall_ns.subspan(profile::kWarmUpSteps);
  const profile::Spread spread = profile::spread_of(counted);
  return fmt::format("measuring: {} steps, {:.3g} ms each, +- {:.1f} %", counted.size(),
                     spread.median_ns / 1e6, spread.error_of_mean(counted.size()) * 100);
}

std::optional<Failure> run_until_stable(Analysis& analysis, const OnProgress& on_progress) {
  std::vector<std::uint64_t> wall_ns;
  while (const std::size_t more = profile::more_steps(wall_ns)) {
    on_progress(told(wall_ns));
    Outcome<Steps> steps = analysis.run_steps(more);
    if (auto* failure = std::get_if<Failure>(&steps)) return std::move(*failure);
    const Steps& done = std::get<Steps>(steps);
    wall_ns.insert(wall_ns.end(), done.wall_ns.begin(), done.wall_ns.end());
  }
  return std::nullopt;
}

}  // namespace

std::optional<Failure> profile(const std::filesystem::path& python, const AnalysisRequest& request,
                               int interrupted, const OnProgress& on_progress) {
  on_progress("importing torch");
  Result<std::unique_ptr<WorkerProcess>> worker = WorkerProcess::start(python, interrupted);
  if (!worker) {
    Failure failure;
    failure.kind = Failure::Kind::Unusable;
    failure.what = worker.error().message;
    return failure;
  }
  if (std::optional<Failure> failure = await_hello(*worker.value())) return failure;
  Analysis analysis(*worker.value(), request, [&](const std::string& stage) {
    if (const std::string text = told(stage); !text.empty()) on_progress(text);
  });
  Outcome<std::uint64_t> opened = analysis.open();
  if (auto* failure = std::get_if<Failure>(&opened)) return std::move(*failure);
  if (std::optional<Failure> failure = run_until_stable(analysis, on_progress)) return failure;
  return analysis.close();
}

}  // namespace sightline::worker
