#include "worker/batch_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

#include "core/store/single_file.h"

namespace sightline::worker {
namespace {

// Every size is measured in several rounds: what disturbs the machine for a while then disturbs
// all sizes alike. Each time the process is a new one, as the user's will be: what pages a heap
// gives back, and has to ask for again, goes by all that the process held before.
constexpr std::size_t kRounds = 5;
constexpr std::chrono::seconds kTimeForRounds(30);  // after which no other is begun
constexpr std::uint64_t kRoundNs = 200'000'000;
constexpr std::size_t kFewestSteps = 3;
constexpr std::size_t kMostSteps = 20;
constexpr std::size_t kWarmUp = 2;

// The fastest step of a process counts, because a disturbance only ever makes one longer; and of
// the processes the lower quartile, because now and then the heap of one happens to lie well.
struct Fastest {
  double ms = 0;
  double noise_ms = 0;
};
Fastest fastest_of(std::vector<double> processes_ms) {
  std::sort(processes_ms.begin(), processes_ms.end());
  const double quartile = processes_ms[processes_ms.size() / 4];
  return {quartile, processes_ms[processes_ms.size() / 2] - quartile};
}

class Sampling {
 public:
  Sampling(WorkerProcess& worker, const AnalysisRequest& request, ProfileListener& listener)
      : worker_(worker), request_(request), listener_(listener) {}

  // Tries the sizes of the plan.
  std::optional<Failure> explore(std::uint64_t usual, profile::BatchLimits limits);
  // Goes round all sizes that work.
  std::optional<Failure> repeat();
  BatchSamples samples() const;

 private:
  struct Tried {
    bool held_out = false;
    std::uint64_t peak_bytes = 0;
    std::uint64_t resident_bytes = 0;
    std::uint64_t device_bytes = 0;
    std::vector<double> fastest_ms;  // of each process
  };

  std::optional<Failure> measure(std::uint64_t batch_size, bool held_out);
  // Notes what went wrong at a size; false if no other can be tried.
  bool survive(std::uint64_t batch_size, const Failure& failure);
  Outcome<std::vector<std::uint64_t>> run_steps(Analysis& analysis, Tried& tried,
                                                std::size_t count);

  WorkerProcess& worker_;
  AnalysisRequest request_;
  ProfileListener& listener_;
  std::map<std::uint64_t, Tried> tried_;
  std::map<std::uint64_t, std::string> failed_;  // what, by batch size
  std::uint64_t device_left_bytes_ = 0;
};

// Their times.
Outcome<std::vector<std::uint64_t>> Sampling::run_steps(Analysis& analysis, Tried& tried,
                                                        std::size_t count) {
  Outcome<Steps> outcome = analysis.run_steps(count);
  if (auto* failure = std::get_if<Failure>(&outcome)) return std::move(*failure);
  auto& steps = std::get<Steps>(outcome);
  const auto most = std::max_element(steps.peak_bytes.begin(), steps.peak_bytes.end());
  tried.peak_bytes = std::max(tried.peak_bytes, *most);
  tried.resident_bytes = std::max(tried.resident_bytes, steps.resident_bytes);
  tried.device_bytes = std::max(tried.device_bytes, steps.device_bytes);
  device_left_bytes_ = steps.device_left_bytes;
  return std::move(steps.wall_ns);
}

std::optional<Failure> Sampling::measure(std::uint64_t batch_size, bool held_out) {
  listener_.progress(ProfilePart::Sampling, fmt::format("measuring a batch of {}", batch_size));
  store::remove_run(request_.run);  // of the process before
  request_.batch_size = batch_size;
  Analysis analysis(worker_, request_, [](const std::string&) {});
  Outcome<std::uint64_t> ready = analysis.open();
  if (auto* failure = std::get_if<Failure>(&ready)) return std::move(*failure);
  const auto known = tried_.find(batch_size);
  Tried tried = known == tried_.end() ? Tried{} : known->second;
  tried.held_out = held_out;
  auto warm = run_steps(analysis, tried, kWarmUp);
  if (auto* failure = std::get_if<Failure>(&warm)) return std::move(*failure);
  const std::uint64_t step_ns = std::max<std::uint64_t>(1, std::get<0>(warm).back());
  auto timed = run_steps(analysis, tried,
                         std::clamp<std::size_t>(kRoundNs / step_ns, kFewestSteps, kMostSteps));
  if (auto* failure = std::get_if<Failure>(&timed)) return std::move(*failure);
  const auto& wall_ns = std::get<0>(timed);
  const std::uint64_t fastest = *std::min_element(wall_ns.begin(), wall_ns.end());
  tried.fastest_ms.push_back(static_cast<double>(fastest) / 1e6);
  tried_[batch_size] = std::move(tried);
  listener_.sampled(samples());
  return analysis.close();
}

bool Sampling::survive(std::uint64_t batch_size, const Failure& failure) {
  if (failure.kind == Failure::Kind::Interrupted) return false;
  failed_.emplace(batch_size, failure.what.substr(0, failure.what.find('\n')));
  return worker_.end_analysis();  // one that hangs is still there
}

std::optional<Failure> Sampling::explore(std::uint64_t usual, profile::BatchLimits limits) {
  std::vector<profile::BatchTrial> trials;
  while (const auto next = profile::next_batch(usual, trials, limits)) {
    std::optional<Failure> failure = measure(next->batch_size, next->held_out);
    if (failure && !survive(next->batch_size, *failure)) return failure;
    profile::BatchTrial trial = {.batch_size = next->batch_size, .works = !failure};
    if (trial.works) {
      trial.resident_bytes = tried_[next->batch_size].resident_bytes;
      trial.device_bytes = tried_[next->batch_size].device_bytes;
    }
    trials.push_back(trial);
    limits.device_bytes = profile::share_to_take(device_left_bytes_);
    if (next->held_out) break;
  }
  return std::nullopt;
}

std::optional<Failure> Sampling::repeat() {
  const auto end = std::chrono::steady_clock::now() + kTimeForRounds;
  for (std::size_t round = 1; round < kRounds && std::chrono::steady_clock::now() < end; ++round) {
    for (const auto& [batch_size, tried] : std::map<std::uint64_t, Tried>(tried_)) {
      std::optional<Failure> failure = measure(batch_size, tried.held_out);
      if (failure && !survive(batch_size, *failure)) return failure;
    }
  }
  return std::nullopt;
}

BatchSamples Sampling::samples() const {
  BatchSamples samples;
  for (const auto& [batch_size, tried] : tried_) {
    const Fastest fastest = fastest_of(tried.fastest_ms);
    samples.measured.push_back({batch_size, fastest.ms, fastest.noise_ms, tried.peak_bytes,
                                tried.resident_bytes, tried.held_out});
  }
  for (const auto& [batch_size, what] : failed_) samples.failed.push_back({batch_size, what});
  return samples;
}

}  // namespace

Outcome<BatchSamples> sample_batches(WorkerProcess& worker, const AnalysisRequest& request,
                                     std::uint64_t usual, const profile::BatchLimits& limits,
                                     ProfileListener& listener) {
  Sampling sampling(worker, request, listener);
  std::optional<Failure> failure = sampling.explore(usual, limits);
  if (!failure) failure = sampling.repeat();
  if (failure && failure->kind == Failure::Kind::Interrupted) return std::move(*failure);
  return sampling.samples();
}

}  // namespace sightline::worker
