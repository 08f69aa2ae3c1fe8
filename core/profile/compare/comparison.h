// Two runs compared: what a step takes in each, where the difference lies, and whether it is more
// than chance.
//
// Times are in nanoseconds per counted step. A difference of times counts if it is larger than
//   its noise: two standard errors, sqrt(error_before^2 + error_after^2) * 2 (see step_noise.h),
//   1 % of the part itself, and
//   0.1 % of the step.
// Bytes do not vary by chance: they count from 0.1 % on, and from 1 % on for the whole process,
// whose size the operating system has a say in.
//
// Lines are matched by text (see file_matching.h), modules by path and type. The identity of the
// breakdown holds for differences too:
//   sum of lines[].self + unattributed == step, if both runs are sound.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/profile/breakdown.h"

namespace sightline::profile {

enum class Verdict { Same, Better, Worse, Added, Removed };

constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 5> kNames = {"same", "better", "worse", "added",
                                                      "removed"};
  return kNames[static_cast<std::size_t>(verdict)];
}

// One figure in both runs; nothing where a run does not have it.
struct Change {
  std::optional<double> before;
  std::optional<double> after;
  double noise = 0.0;  // two standard errors of the difference; 0 for bytes
  Verdict verdict = Verdict::Same;

  bool known() const { return before && after; }
  bool measured() const { return before || after; }
  double difference() const { return after.value_or(0.0) - before.value_or(0.0); }
  std::optional<double> percent() const;        // difference, of what it was before
  std::optional<double> noise_percent() const;  // noise, of what it was before
};

struct LineChange {
  std::optional<LineRow> before;
  std::optional<LineRow> after;
  Change self;
  Change total;
  Change peak_bytes;

  const LineRow& row() const { return after ? *after : *before; }
  bool rewritten() const { return before && after && before->source != after->source; }
  bool moved() const {
    return before && after && (before->file != after->file || before->line != after->line);
  }
};

struct ModuleChange {
  std::string path;
  std::string type;
  Change total;
  Change self;
  Change parameter_bytes;
  Change activation_bytes;
};

// What is not the same about how the runs were made, and may explain what differs in them.
struct Difference {
  std::string what;  // in plain words, and in JSON: "batch size"
  std::string before;
  std::string after;
};

// Of where and with what two runs were made.
std::vector<Difference> differing_conditions(const model::RunInfo& before,
                                             const model::RunInfo& after);

struct Comparison {
  Breakdown before;
  Breakdown after;
  std::vector<Difference> differs;
  bool timed = false;              // false: times cannot be compared, and `notes` says why
  std::vector<std::string> notes;  // in plain words

  Change step, median, p95;
  Change samples_per_second;
  Change sample;  // time for one sample; matters if batch sizes differ
  std::array<Change, model::kPhases> phases;
  std::vector<LineChange> lines;  // by size of the difference of self time, the largest first
  Change unattributed;
  std::vector<ModuleChange> modules;  // by size of the difference of total time
  Change peak_bytes;
  Change process_peak_bytes;
  std::array<Change, model::kCategories> at_peak;
  Change other_with_buffers;  // at the peak; what the report for machines calls "other"

  // With batches of different sizes a step is not the same work, but a sample is.
  bool by_sample() const { return before.batch_size != after.batch_size && sample.known(); }
};

// Pure, and safe on any two runs.
SIGHTLINE_API Comparison compare(const model::Run& before, const model::Run& after);

// Whether a step takes longer by more than so many percent beyond its noise.
SIGHTLINE_API bool slower_by_more_than(const Comparison& comparison, double percent);
// Whether the peak of memory is higher by more than so many percent.
SIGHTLINE_API bool peak_higher_by_more_than(const Comparison& comparison, double percent);

}  // namespace sightline::profile
