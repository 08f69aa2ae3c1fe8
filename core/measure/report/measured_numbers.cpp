#include <fmt/format.h>

#include "core/measure/report/report_parts.h"
#include "core/measure/timing.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::measure {
namespace {

using profile::format_amount;
using profile::format_bytes;
using profile::format_count;
using profile::format_time;
using profile::printable;
using profile::Style;

constexpr double kMsToNs = 1e6;

double real(std::uint64_t number) { return static_cast<double>(number); }

std::string parameters_in_words(const model::ParameterNumbers& numbers) {
  std::string text = format_count(real(numbers.total));
  if (numbers.frozen == 0) {
    text += numbers.total > 0 ? ", all trained" : "";
  } else {
    text += fmt::format(", {} trained and {} frozen", format_count(real(numbers.trainable)),
                        format_count(real(numbers.frozen)));
  }
  if (numbers.buffers > 0) text += "; " + format_count(real(numbers.buffers)) + " in buffers";
  return text;
}

std::string work_in_words(const model::Work& work, std::uint64_t model::PassNumbers::*pass) {
  std::string text = fmt::format("{} MACs", format_amount(real(work.macs.*pass)));
  if (work.effective_macs.*pass < work.macs.*pass) {
    text += fmt::format(" ({} without what masks throw away)",
                        format_amount(real(work.effective_macs.*pass)));
  }
  return text + fmt::format(" · {} FLOPs · {} read and written",
                            format_amount(real(work.flops.*pass)), format_bytes(work.bytes.*pass));
}

std::string footprint_in_words(const model::Footprint& footprint) {
  std::string text = format_bytes(footprint.weights) + " of weights";
  if (footprint.inference_peak) {
    text += " · " + format_bytes(*footprint.inference_peak) + " more at the peak of inference";
  }
  if (footprint.training_peak) {
    text += " · " + format_bytes(*footprint.training_peak) + " more at that of training";
  }
  return footprint.computed ? text + " (computed)" : text;
}

std::string time_in_words(const TimeSummary& time, const model::Measurement& measurement) {
  std::string text =
      fmt::format("{} for the forward pass, {} to {} in 8 of 10 runs ({} runs, {})",
                  format_time(time.median_ms * kMsToNs), format_time(time.p10_ms * kMsToNs),
                  format_time(time.p90_ms * kMsToNs), time.runs, name_of(time.noise()));
  if (measurement.batch_size > 0 && time.median_ms > 0) {
    text += fmt::format(" · {} samples/s",
                        format_count(1e3 * real(measurement.batch_size) / time.median_ms));
  }
  return text;
}

}  // namespace

std::string render_measured_title(const MeasurementPage& page) {
  const model::Measurement& one = page.measurement;
  const model::RunInfo& info = page.info;
  std::string call = "called with " + printable(one.inputs);
  if (one.batch_size > 0) call += fmt::format(" · batch size {}", one.batch_size);
  call += one.training_mode ? " · training mode" : " · evaluation mode";
  const std::string machine =
      fmt::format("{} {} · {} · {} thread{} · Python {} · {}", printable(info.framework),
                  printable(info.framework_version), printable(info.device), info.threads,
                  info.threads == 1 ? "" : "s", printable(info.python), printable(info.started));
  return page.paint(Style::Strong, printable(one.model)) + "\n" + call + "\n" +
         page.paint(Style::Faint, machine) + "\n\n";
}

std::string render_measured_numbers(const MeasurementPage& page) {
  const model::Measurement& one = page.measurement;
  std::string text;
  const auto add = [&](const char* name, const std::string& figures) {
    text += fmt::format("  {:<12}", name) + figures + "\n";
  };
  add("parameters", parameters_in_words(one.parameters));
  add("size", format_bytes(one.size_bytes) + " saved");
  add("forward", work_in_words(one.work, &model::PassNumbers::forward));
  if (one.work.flops.backward > 0) {
    add("backward", work_in_words(one.work, &model::PassNumbers::backward));
  }
  if (one.work.flops.optimizer > 0) {
    add("optimizer", work_in_words(one.work, &model::PassNumbers::optimizer));
  }
  add("memory", footprint_in_words(one.footprint));
  if (const auto time = summarise_times(one.times_ms)) add("time", time_in_words(*time, one));
  return text;
}

}  // namespace sightline::measure
