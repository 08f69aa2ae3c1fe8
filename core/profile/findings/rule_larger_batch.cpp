#include <algorithm>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kBatchGain = 0.10;

}  // namespace

// Only sizes that were measured are proposed: beyond them the models may be wrong.
void find_larger_batch(const Facts& facts, std::vector<Finding>& findings) {
  const Throughput& throughput = facts.breakdown.throughput;
  if (!throughput.models || facts.breakdown.batch_size == 0) return;
  const BatchModels& models = *throughput.models;
  const auto usual = static_cast<double>(facts.breakdown.batch_size);
  const double now = models.samples_per_second_at(usual);
  double best_rate = 0;
  std::uint64_t best = 0;
  for (const model::BatchSample& sample : throughput.samples) {
    const double rate = models.samples_per_second_at(static_cast<double>(sample.batch_size));
    if (sample.batch_size > facts.breakdown.batch_size && rate > best_rate) {
      best_rate = rate;
      best = sample.batch_size;
    }
  }
  if (best == 0 || now <= 0) return;
  const auto at = static_cast<double>(best);
  const double ms = models.iteration_ms().at(at);
  const double interval = models.iteration_ms().interval_at(at) / ms;
  const double gain = best_rate / now - 1;
  const double least = best_rate / (1 + interval) / now - 1;
  if (gain < kBatchGain || least <= 0) return;
  Finding finding = finding_of("larger-batch", Severity::Info);
  finding.title = "a batch of " + std::to_string(best) + " would process " +
                  format_percent(100 * gain) + " more samples in a second";
  finding.evidence = {{"batch_size", at},
                      {"samples_per_second", best_rate},
                      {"samples_per_second_now", now},
                      {"throughput_gain_percent", 100 * gain},
                      {"interval_percent", 100 * interval},
                      {"peak_bytes", models.peak_bytes().at(at)}};
  finding.advice = "It needs " + format_bytes(models.peak_bytes().at(at)) +
                   " at the peak. The figure is good to +- " + format_percent(100 * interval) +
                   "; a larger batch may ask for another learning rate.";
  findings.push_back(std::move(finding));
}

}  // namespace sightline::profile
