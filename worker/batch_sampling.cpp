#include "worker/batch_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/profile/step_count.h"

namespace sightline::worker {
namespace {

constexpr std::size_t kWarmUp = 2;
// Every size is measured in several rounds: what disturbs the machine for a while then disturbs
// all sizes alike, and the best round of each is taken.
constexpr std::size_t kRounds = 3;
constexpr std::uint64_t kRoundNs = 300'000'000;
constexpr std::size_t kFewestSteps = 3;
constexpr std::size_t kMostSteps = 20;

struct Round {
  double median_ms = 0;
  double deviation_ms = 0;
};

class Sampling {
 public:
  Sampling(WorkerProcess& worker, const AnalysisRequest& request, const OnProgress& on_progress)
      : worker_(worker), request_(request), on_progress_(on_progress) {}

  // Tries the sizes of the plan, the smallest set of steps each.
  std::optional<Failure> explore(std::uint64_t usual, const profile::BatchLimits& limits);
  // Goes round all sizes that fit.
  std::optional<Failure> repeat();
  std::vector<model::BatchSample> samples() const;

 private:
  struct Tried {
    bool held_out = false;
    std::uint64_t peak_bytes = 0;
    std::uint64_t resident_bytes = 0;
    std::vector<Round> rounds;
  };

  std::optional<Failure> measure(std::uint64_t batch_size, bool held_out);
  std::optional<Failure> open(std::uint64_t batch_size);

  WorkerProcess& worker_;
  AnalysisRequest request_;
  const OnProgress& on_progress_;
  std::optional<Analysis> analysis_;
  std::map<std::uint64_t, Tried> tried_;
};

std::optional<Failure> Sampling::open(std::uint64_t batch_size) {
  Outcome<std::uint64_t> ready = std::uint64_t{0};
  if (analysis_) {
    ready = analysis_->change_batch(batch_size);
  } else {
    request_.batch_size = batch_size;
    analysis_.emplace(worker_, request_, [](const std::string&) {});
    ready = analysis_->open();
  }
  if (auto* failure = std::get_if<Failure>(&ready)) {
    analysis_.reset();  // its process has ended
    return std::move(*failure);
  }
  return std::nullopt;
}

std::optional<Failure> Sampling::measure(std::uint64_t batch_size, bool held_out) {
  on_progress_(fmt::format("measuring a batch of {}", batch_size));
  if (std::optional<Failure> failure = open(batch_size)) return failure;
  Tried& tried = tried_[batch_size];
  tried.held_out = held_out;
  std::vector<std::uint64_t> wall_ns;
  for (std::size_t more = kWarmUp; more > 0;) {
    Outcome<Steps> outcome = analysis_->run_steps(more);
    if (auto* failure = std::get_if<Failure>(&outcome)) {
      analysis_.reset();
      if (tried.rounds.empty()) tried_.erase(batch_size);
      return std::move(*failure);
    }
    const Steps& steps = std::get<Steps>(outcome);
    wall_ns.insert(wall_ns.end(), steps.wall_ns.begin(), steps.wall_ns.end());
    tried.peak_bytes = std::max(
        tried.peak_bytes, *std::max_element(steps.peak_bytes.begin(), steps.peak_bytes.end()));
    tried.resident_bytes = std::max(tried.resident_bytes, steps.resident_bytes);
    more = wall_ns.size() > kWarmUp
               ? 0
               : std::clamp<std::size_t>(kRoundNs / std::max<std::uint64_t>(1, wall_ns.back()),
                                         kFewestSteps, kMostSteps);
  }
  const profile::Spread spread =
      profile::spread_of(std::span<const std::uint64_t>(wall_ns).subspan(kWarmUp));
  tried.rounds.push_back({spread.median_ns / 1e6, spread.deviation_ns / 1e6});
  return std::nullopt;
}

std::optional<Failure> Sampling::explore(std::uint64_t usual, const profile::BatchLimits& limits) {
  std::vector<profile::BatchTrial> trials;
  while (const auto next = profile::next_batch(usual, trials, limits)) {
    std::optional<Failure> failure = measure(next->batch_size, next->held_out);
    if (failure && failure->kind != Failure::Kind::OutOfMemory) return failure;
    const std::uint64_t resident_bytes = failure ? 0 : tried_[next->batch_size].resident_bytes;
    trials.push_back({next->batch_size, resident_bytes, !failure});
    if (next->held_out) break;
  }
  return std::nullopt;
}

std::optional<Failure> Sampling::repeat() {
  for (std::size_t round = 1; round < kRounds; ++round) {
    for (const auto& [batch_size, tried] : std::map<std::uint64_t, Tried>(tried_)) {
      if (std::optional<Failure> failure = measure(batch_size, tried.held_out)) return failure;
    }
  }
  if (analysis_) return analysis_->close();
  return std::nullopt;
}

std::vector<model::BatchSample> Sampling::samples() const {
  std::vector<model::BatchSample> samples;
  for (const auto& [batch_size, tried] : tried_) {
    const Round& best =
        *std::min_element(tried.rounds.begin(), tried.rounds.end(),
                          [](const Round& a, const Round& b) { return a.median_ms < b.median_ms; });
    samples.push_back({batch_size, best.median_ms, best.deviation_ms, tried.peak_bytes,
                       tried.resident_bytes, tried.held_out});
  }
  return samples;
}

}  // namespace

Outcome<std::vector<model::BatchSample>> sample_batches(WorkerProcess& worker,
                                                        const AnalysisRequest& request,
                                                        std::uint64_t usual,
                                                        const profile::BatchLimits& limits,
                                                        const OnProgress& on_progress) {
  Sampling sampling(worker, request, on_progress);
  std::optional<Failure> failure = sampling.explore(usual, limits);
  if (!failure) failure = sampling.repeat();
  if (failure && failure->kind == Failure::Kind::Interrupted) return std::move(*failure);
  return sampling.samples();
}

}  // namespace sightline::worker
