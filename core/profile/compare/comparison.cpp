#include "core/profile/compare/comparison.h"

#include <cmath>

#include "core/profile/compare/compared_rows.h"
#include "core/profile/compare/file_matching.h"
#include "core/profile/compare/judge.h"
#include "core/profile/compare/step_noise.h"

namespace sightline::profile {
namespace {

// How much more the median and the 95th percentile vary than the mean, if steps are normal.
constexpr double kErrorOfMedian = 1.2533;
constexpr double kErrorOfP95 = 2.1132;

constexpr double kLargeLine = 0.01;  // of the step
constexpr double kNearlyAll = 0.8;   // of the step
constexpr double kSameFactor = 0.3;  // of the logarithm
constexpr std::size_t kLinesToTell = 4;

std::string number(std::uint64_t value) { return value == 0 ? "" : std::to_string(value); }

std::vector<Difference> differences(const Breakdown& before, const Breakdown& after) {
  std::vector<Difference> found = differing_conditions(before.info, after.info);
  if (before.batch_size != after.batch_size) {
    found.insert(found.begin(),
                 Difference{"batch size", number(before.batch_size), number(after.batch_size)});
  }
  return found;
}

std::string why_untimed(const char* name, const Breakdown& breakdown) {
  if (breakdown.counted_steps > 0) return "";
  return std::string(name) +
         (breakdown.steps == 0
              ? " has no step: none was seen, so its times cannot be compared. A step ends when an "
                "optimizer steps, or with sightline.step()."
              : " has no step that counts: it ended within the first steps, which warm up. Record "
                "more steps to compare times.");
}

void judge_whether_timed(Comparison& comparison) {
  const Breakdown& before = comparison.before;
  const Breakdown& after = comparison.after;
  for (const std::string& reason : {why_untimed("A", before), why_untimed("B", after)}) {
    if (!reason.empty()) comparison.notes.push_back(reason);
  }
  if (comparison.notes.empty() && before.whole_recording != after.whole_recording) {
    comparison.notes.push_back(
        std::string("In ") + (before.whole_recording ? "A" : "B") +
        " nothing marked a step, so all of it is given as one; times of steps cannot be compared "
        "with that. Call sightline.step() at the end of each iteration.");
  }
  comparison.timed = comparison.notes.empty();
}

void note_noise(const StepNoise& before, const StepNoise& after, Comparison& comparison) {
  if (!comparison.timed || (!before.assumed && !after.assumed)) return;
  const char* which = before.assumed && after.assumed ? "A and B have"
                      : before.assumed                ? "A has"
                                                      : "B has";
  comparison.notes.push_back(std::string(which) + " fewer than " + std::to_string(kStepsToJudge) +
                             " steps that count, too few to know their noise; a tenth of the step "
                             "is assumed. Record more steps to be sure.");
}

// Whether lines that hold nearly all of the step changed by about the factor that all of it did.
// One edit seldom does that; another program beside the training does.
bool changed_throughout(const Comparison& comparison) {
  if (comparison.step.verdict == Verdict::Same || *comparison.step.after <= 0.0) return false;
  const double step_ns = *comparison.step.before;
  const double overall = std::log(*comparison.step.after / step_ns);
  std::size_t lines = 0;
  double alike_ns = 0.0;
  for (const LineChange& line : comparison.lines) {
    if (!line.self.known() || line.rewritten() || *line.self.after <= 0.0) continue;
    if (*line.self.before < kLargeLine * step_ns) continue;
    ++lines;
    const double own = std::log(*line.self.after / *line.self.before);
    if (std::abs(own - overall) < kSameFactor * std::abs(overall)) alike_ns += *line.self.before;
  }
  return lines >= kLinesToTell && alike_ns > kNearlyAll * step_ns;
}

void note_machine(Comparison& comparison) {
  if (!comparison.timed || !comparison.differs.empty() || !changed_throughout(comparison)) return;
  comparison.notes.emplace_back(
      "Nearly all lines changed by the same factor, as they do when the machine was busier, or "
      "slower, in one of the runs. Record both again, in turn, before you believe it.");
}

void compare_memory(Comparison& comparison) {
  const MemoryTable& before = comparison.before.memory;
  const MemoryTable& after = comparison.after.memory;
  const auto known = [](bool is, std::uint64_t bytes) {
    return is ? std::optional(bytes) : std::nullopt;
  };
  const auto bytes = [&](std::uint64_t a, std::uint64_t b) {
    return Judge::bytes(known(before.totals.known, a), known(after.totals.known, b),
                        Judge::kBytesFloor);
  };
  comparison.peak_bytes = bytes(before.totals.peak_bytes, after.totals.peak_bytes);
  for (std::size_t index = 0; index < model::kCategories; ++index) {
    comparison.at_peak[index] = bytes(before.at_peak[index], after.at_peak[index]);
  }
  const auto other = [](const MemoryTable& memory) {
    return memory.of(model::Category::Other) + memory.of(model::Category::Buffer);
  };
  comparison.other_with_buffers = bytes(other(before), other(after));
  const std::uint64_t a = before.totals.process_peak_bytes, b = after.totals.process_peak_bytes;
  comparison.process_peak_bytes =
      Judge::bytes(known(a > 0, a), known(b > 0, b), Judge::kProcessFloor);
}

}  // namespace

std::vector<Difference> differing_conditions(const model::RunInfo& a, const model::RunInfo& b) {
  std::vector<Difference> found;
  const auto look = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after) found.push_back({what, before, after});
  };
  look("device", a.device, b.device);
  look("threads", number(a.threads), number(b.threads));
  look("processes", number(a.world_size), number(b.world_size));
  look("framework", a.framework, b.framework);
  look("framework version", a.framework_version, b.framework_version);
  look("Python", a.python, b.python);
  look("host", a.host, b.host);
  look("Sightline", a.version, b.version);
  return found;
}

std::optional<double> Change::percent() const {
  if (!known() || *before == 0.0) return std::nullopt;
  return 100.0 * difference() / *before;
}

std::optional<double> Change::noise_percent() const {
  if (!known() || *before == 0.0) return std::nullopt;
  return 100.0 * noise / *before;
}

Comparison compare(const model::Run& before, const model::Run& after) {
  Comparison comparison;
  comparison.before = break_down(before);
  comparison.after = break_down(after);
  const std::map<std::string, FileMatch> files = match_files(before, after);
  align_descents(comparison.before, comparison.after, files);
  comparison.differs = differences(comparison.before, comparison.after);
  judge_whether_timed(comparison);

  const StepNoise before_noise = noise_of(before);
  const StepNoise after_noise = noise_of(after);
  note_noise(before_noise, after_noise, comparison);
  const Judge judge(comparison.before, comparison.after, before_noise, after_noise,
                    comparison.timed);
  comparison.step = judge.step();
  const Iteration& a = comparison.before.iteration;
  const Iteration& b = comparison.after.iteration;
  comparison.median = judge.time(a.median_ns, b.median_ns, kErrorOfMedian * before_noise.step_ns,
                                 kErrorOfMedian * after_noise.step_ns);
  comparison.p95 = judge.time(a.p95_ns, b.p95_ns, kErrorOfP95 * before_noise.step_ns,
                              kErrorOfP95 * after_noise.step_ns);
  comparison.sample = judge.sample();
  comparison.samples_per_second = judge.speed();
  for (std::size_t phase = 0; phase < model::kPhases; ++phase) {
    comparison.phases[phase] = judge.phase(phase);
  }
  comparison.lines = compare_lines(comparison.before, comparison.after, files, judge);
  note_machine(comparison);
  comparison.unattributed =
      judge.part(comparison.before.unattributed.sum(), comparison.after.unattributed.sum());
  comparison.modules = compare_modules(comparison.before, comparison.after, judge);
  compare_memory(comparison);
  for (const auto& [name, breakdown] :
       {std::pair("A", &comparison.before), std::pair("B", &comparison.after)}) {
    for (const std::string& problem : breakdown->problems) {
      comparison.notes.push_back(std::string(name) + ": " + problem);
    }
  }
  return comparison;
}

bool slower_by_more_than(const Comparison& comparison, double percent) {
  const Change& step = comparison.step;
  return step.verdict == Verdict::Worse &&
         step.difference() - step.noise > percent / 100.0 * *step.before;
}

bool peak_higher_by_more_than(const Comparison& comparison, double percent) {
  const Change& peak = comparison.peak_bytes;
  return peak.verdict == Verdict::Worse && peak.difference() > percent / 100.0 * *peak.before;
}

}  // namespace sightline::profile
