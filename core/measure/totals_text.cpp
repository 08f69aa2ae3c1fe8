#include "core/measure/totals_text.h"

#include <fmt/format.h>

#include "core/measure/table_cells.h"
#include "core/measure/timing.h"

namespace sightline::measure {
namespace {

std::string pass_text(const model::PassNumbers& numbers,
                      std::string (*cell)(std::uint64_t) = count_cell) {
  std::string text = cell(numbers.forward) + " forward";
  if (numbers.backward > 0) text += ", " + cell(numbers.backward) + " backward";
  if (numbers.optimizer > 0) text += ", " + cell(numbers.optimizer) + " optimizer";
  return text;
}

bool masks_throw_away(const model::Work& work) {
  return work.effective_macs.forward < work.macs.forward ||
         work.effective_macs.backward < work.macs.backward;
}

std::string footprint_text(const model::Footprint& footprint) {
  std::string text = bytes_cell(footprint.weights) + " weights";
  const char* how = footprint.computed ? "computed" : "measured";
  if (footprint.inference_peak) {
    text += fmt::format(", and {} at the peak of inference", bytes_cell(*footprint.inference_peak));
  }
  if (footprint.training_peak) {
    text += fmt::format(", {} at the peak of training", bytes_cell(*footprint.training_peak));
  }
  const bool any = footprint.inference_peak || footprint.training_peak;
  return any ? fmt::format("{} ({})", text, how) : text;
}

std::string time_text(const TimeSummary& summary) {
  return fmt::format("{} ms (median of {} runs, {} to {} in the middle 80 %, {})",
                     ms_cell(summary.median_ms), summary.runs, ms_cell(summary.p10_ms),
                     ms_cell(summary.p90_ms), name_of(summary.noise()));
}

}  // namespace

std::string totals_text(const model::Measurement& measurement) {
  const model::ParameterNumbers& numbers = measurement.parameters;
  std::string text = fmt::format("parameters  {} ({} trainable, {} frozen), buffers {}, {} saved\n",
                                 count_cell(numbers.total), count_cell(numbers.trainable),
                                 count_cell(numbers.frozen), count_cell(numbers.buffers),
                                 bytes_cell(measurement.size_bytes));
  text += fmt::format("MACs        {}\n", pass_text(measurement.work.macs));
  if (masks_throw_away(measurement.work)) {
    text += fmt::format("effective   {} (MACs without what masks throw away)\n",
                        pass_text(measurement.work.effective_macs));
  }
  text += fmt::format("FLOPs       {}\n", pass_text(measurement.work.flops));
  text += fmt::format("moved       {} (read and written)\n",
                      pass_text(measurement.work.bytes, bytes_cell));
  text += fmt::format("memory      {}\n", footprint_text(measurement.footprint));
  if (const auto summary = summarise_times(measurement.times_ms)) {
    text += fmt::format("time        {}\n", time_text(*summary));
  }
  for (const model::UncountedCalls& row : measurement.uncounted) {
    text += fmt::format("NOT COUNTED {}, {} calls", text_cell(row.name), count_cell(row.calls));
    if (row.time_share) text += fmt::format(", {} of the time", share_cell(*row.time_share));
    text += '\n';
  }
  return text;
}

}  // namespace sightline::measure
