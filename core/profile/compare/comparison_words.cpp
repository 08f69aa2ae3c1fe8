// What the comparison of two runs comes to, in a sentence or two.
#include <fmt/format.h>

#include <cmath>

#include "core/profile/compare/report_comparison.h"
#include "core/profile/report/report_page.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kMostOfIt = 0.5;

std::string give_or_take(const Change& change) {
  return change.noise_percent() ? fmt::format(" (±{})", format_percent(*change.noise_percent()))
                                : "";
}

std::string from_to(const Change& change) {
  return fmt::format("{} -> {}", format_time(*change.before), format_time(*change.after));
}

std::string size_of(const Change& change) {
  return change.percent() ? format_percent(std::abs(*change.percent()))
                          : format_time(std::abs(change.difference()));
}

std::string step_in_words(const Comparison& comparison) {
  const Change& step = comparison.step;
  const std::string unit = comparison.before.whole_recording ? "in all" : "a step";
  if (step.verdict == Verdict::Same) {
    return fmt::format("A and B take the same time within the noise{}: {} {}", give_or_take(step),
                       from_to(step), unit);
  }
  return fmt::format("B is {} {}{}: {} {}", size_of(step),
                     step.verdict == Verdict::Better ? "faster" : "slower", give_or_take(step),
                     from_to(step), unit);
}

std::string sample_in_words(const Comparison& comparison) {
  const Change& sample = comparison.sample;
  std::string text;
  if (sample.verdict == Verdict::Same) {
    text = fmt::format("A sample takes the same time in B within the noise{}: {}",
                       give_or_take(sample), from_to(sample));
  } else {
    text = fmt::format("A sample takes {} {} in B{}: {}", size_of(sample),
                       sample.verdict == Verdict::Better ? "less time" : "longer",
                       give_or_take(sample), from_to(sample));
  }
  return text + fmt::format("; a step has {} of them instead of {}: {}",
                            comparison.after.batch_size, comparison.before.batch_size,
                            from_to(comparison.step));
}

std::string memory_in_words(const Change& peak) {
  if (!peak.known()) return "";
  if (peak.verdict == Verdict::Same) return "peak memory the same";
  const std::string direction = peak.difference() > 0 ? "higher" : "lower";
  if (!peak.percent()) return "peak memory " + direction;
  return fmt::format("peak memory {} {}", format_percent(std::abs(*peak.percent())), direction);
}

std::string cause_in_words(const Comparison& comparison) {
  const Change& step = comparison.step;
  if (step.verdict == Verdict::Same || comparison.by_sample() || comparison.lines.empty())
    return "";
  const LineChange& first = comparison.lines.front();
  if (first.self.verdict == Verdict::Same ||
      first.self.difference() / step.difference() < kMostOfIt) {
    return "";
  }
  const double difference = first.self.difference();
  return fmt::format(" Most of the difference in time is at {}: {}{}.", place_of(first.row()),
                     difference > 0 ? "+" : "-", format_time(std::abs(difference)));
}

}  // namespace

std::string comparison_in_words(const Comparison& comparison) {
  const std::string memory = memory_in_words(comparison.peak_bytes);
  if (!comparison.timed) {
    return "The times of A and B cannot be compared" + (memory.empty() ? "" : "; " + memory) + ".";
  }
  const std::string time =
      comparison.by_sample() ? sample_in_words(comparison) : step_in_words(comparison);
  return time + (memory.empty() ? "" : "; " + memory) + "." + cause_in_words(comparison);
}

}  // namespace sightline::profile
