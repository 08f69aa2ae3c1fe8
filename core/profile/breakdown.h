// Where a step's time and memory went: the tables of a run, in integers.
//
// Times are sums of nanoseconds over the counted steps, bytes and calls are sums too; whoever
// shows them divides by `counted_steps`. So the identities can be checked exactly:
//   sum of lines[].self_ns() + unattributed.sum()  == cost_ns   (== wall_ns if the run is sound)
//   sum of operators[].times.sum()                 == cost_ns
//   sum of phase_ns                                == wall_ns
//   sum of memory.at_peak                          == sum of lines[].peak_bytes + unattributed
// A run that breaks one of them is still shown, and `problems` says which.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"
#include "core/profile/batch/throughput.h"
#include "core/profile/findings/finding.h"

namespace sightline::profile {

// Nanoseconds by why they passed.
struct KindTimes {
  std::array<std::uint64_t, model::kCostKinds> ns{};

  std::uint64_t of(model::CostKind kind) const { return ns[static_cast<std::size_t>(kind)]; }
  void add(model::CostKind kind, std::uint64_t amount);  // a kind we do not know is Python
  KindTimes& operator+=(const KindTimes& other);

  // These five partition sum().
  std::uint64_t forward() const;   // copies of inputs included
  std::uint64_t backward() const;  // recomputation and the engine included
  std::uint64_t python() const { return of(model::CostKind::Python); }
  std::uint64_t optimizer() const { return of(model::CostKind::Optimizer); }
  std::uint64_t data() const { return of(model::CostKind::Data); }
  std::uint64_t sum() const;
};

struct LineRow {
  std::string file;
  std::uint32_t line = 0;
  std::string function;
  std::optional<std::string> source;  // the line's text, trimmed, if the run keeps it
  model::FileRole role = model::FileRole::Project;
  KindTimes self;              // charged to it as the innermost line
  std::uint64_t total_ns = 0;  // with what it called; a line met twice on a path counts once
  std::uint64_t calls = 0;     // operators called from Python
  std::uint64_t module_calls = 0;
  std::uint64_t allocated_bytes = 0;
  std::uint64_t peak_bytes = 0;  // alive at the peak; not a sum over steps

  std::uint64_t self_ns() const { return self.sum(); }
};

// A module with all its submodules, but for `self`.
struct ModuleRow {
  model::ModuleId id = model::kNone;
  model::ModuleId parent = model::kNone;
  std::string path;
  std::string type;
  std::uint64_t calls = 0;
  KindTimes times;
  KindTimes self;  // charged to it as the innermost module
  std::uint64_t parameter_bytes = 0;
  std::uint64_t activation_bytes = 0;  // alive at the peak
};

struct OperatorRow {
  std::string name;  // kBetweenOperators for the time in none
  KindTimes times;
  std::uint64_t calls = 0;
  std::uint64_t python_calls = 0;
};
inline constexpr const char kBetweenOperators[] = "(between operators)";

// A thread beside the training thread. Its time is in no step.
struct ThreadRow {
  std::string name;
  std::uint64_t busy_ns = 0;
  std::uint64_t calls = 0;
};

// One line held more than kDescentShare of the step, so library lines beneath it are rows too.
struct Descent {
  LineRow before;        // that line as it was: with the cost of the library lines beneath it
  double percent = 0.0;  // its share of the step
};
inline constexpr double kDescentShare = 0.8;

struct MemoryTable {
  model::Memory totals;
  std::array<std::uint64_t, model::kCategories> at_peak{};
  std::uint64_t unattributed_bytes = 0;

  std::uint64_t of(model::Category category) const {
    return at_peak[static_cast<std::size_t>(category)];
  }
};

// Of the kept steps that count. Percentiles are interpolated linearly between ranks.
struct Iteration {
  std::optional<double> median_ns;
  std::optional<double> p95_ns;
  std::optional<double> overhead_percent;  // null if no step without observers had neighbours
  std::uint64_t overhead_pairs = 0;
  // A single pair of steps says more about the machine's mood than about us.
  static constexpr std::uint64_t kPairsToBelieve = 8;
  bool is_overhead_settled() const { return overhead_pairs >= kPairsToBelieve; }
};

struct Breakdown {
  model::RunInfo info;
  std::uint64_t steps = 0;          // seen
  bool whole_recording = false;     // nothing marked a step: the whole recording is given as one
  std::uint64_t counted_steps = 0;  // in the sums; 0: the run is too short, nothing was timed
  std::uint64_t batch_size = 0;     // 0: unknown
  std::uint64_t wall_ns = 0;        // as the recorder summed the steps
  std::uint64_t cost_ns = 0;        // as the costs of the training thread add up
  std::uint64_t evaluation_ns = 0;  // of the whole recording, in no step
  Iteration iteration;
  std::array<std::uint64_t, model::kPhases> phase_ns{};
  std::uint64_t copy_ns = 0;  // the parts of Phase::Other
  std::uint64_t python_ns = 0;
  std::vector<LineRow> lines;  // by self time, the largest first
  KindTimes unattributed;      // of no project line
  std::optional<Descent> descent;
  std::vector<ModuleRow> modules;      // by total time, the largest first
  std::vector<OperatorRow> operators;  // by self time, the largest first
  std::vector<ThreadRow> threads;
  std::vector<model::NamedRange> ranges;
  MemoryTable memory;
  Throughput throughput;
  std::vector<Finding> findings;
  std::map<std::string, std::uint64_t> drops;
  std::uint64_t dropped = 0;
  std::vector<std::string> problems;  // what does not hold, in plain words
};

// Pure, and safe on any run: ids that lead nowhere and parents that run in circles are charged to
// nobody and named in `problems`.
SIGHTLINE_API Breakdown break_down(const model::Run& run);

}  // namespace sightline::profile
