// A training at a glance: how far it is, the curves that say how it goes, and what rules said.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/model/training.h"
#include "core/store/training_reader.h"
#include "core/supervise/rules/thresholds.h"

namespace sightline::supervise {

struct Curve {
  std::string name;  // "loss", "gradient l2", ...
  std::vector<store::SeriesColumn> columns;
  double first = 0;
  double last = 0;
};

struct TrainingOverview {
  std::uint64_t steps = 0;  // of which something is known
  std::uint64_t last_step = 0;
  std::uint64_t epoch = 0;
  std::uint64_t series = 0;
  // Steps whose tensors were looked at: fewer than all where the time budget did not allow it.
  // Nothing if the run does not say.
  std::optional<std::uint64_t> looked_at;
  // Updates are made from copies of the weights: the bytes that these take, and 1 or, where they do
  // not fit, that one of about so many elements is copied. Nothing if there are no updates.
  std::optional<std::uint64_t> update_copy_bytes;
  std::optional<std::uint64_t> update_sampled_one_of;
  bool ended = false;         // nothing more will come, as far as the file can tell
  std::vector<Curve> curves;  // those that have a value
  std::vector<model::Verdict> verdicts;

  bool empty() const { return steps == 0 && verdicts.empty(); }
};

// Fails as read_run does. Curves have at most `columns` columns.
SIGHTLINE_API Result<TrainingOverview> read_overview(const std::filesystem::path& run,
                                                     std::size_t columns);

// The verdicts that the rules give with these thresholds, from the series that were kept.
SIGHTLINE_API Result<std::vector<model::Verdict>> judge_anew(const std::filesystem::path& run,
                                                             const Thresholds& thresholds);

struct OverviewText {
  std::size_t width = 80;
  bool ascii = false;
  std::size_t most_verdicts = 20;
  bool advice = true;  // cause and advice beneath each verdict
};

// Lines that neither are wider than that nor steer a terminal, each with its end.
SIGHTLINE_API std::string overview_text(const TrainingOverview& overview,
                                        const OverviewText& options);

// One line: "vanishing-gradient at step 12: fc1 weight (gradients), model.py:3".
SIGHTLINE_API std::string verdict_line(const model::Verdict& verdict);

// The means of the columns as bars of growing height; what is not finite is a '!'.
SIGHTLINE_API std::string sparkline(const std::vector<store::SeriesColumn>& columns, bool ascii);

}  // namespace sightline::supervise
