// What other batch sizes bring, in the text report.
#include <fmt/format.h>

#include "core/profile/report/report_page.h"
#include "core/profile/report/safe_text.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

// Where the time of a step does not lie on a line, the models only join what was measured.
std::string quality_in_words(const Throughput& throughput) {
  const BatchModels& models = *throughput.models;
  std::string text;
  if (!models.iteration_ms().is_linear() || !models.peak_bytes().is_linear()) {
    const char* what = models.peak_bytes().is_linear()     ? "Times do"
                       : models.iteration_ms().is_linear() ? "Bytes do"
                                                           : "Times and bytes do";
    text =
        fmt::format("{} not grow in proportion here: read between the sizes, not beyond. ", what);
  }
  if (throughput.held_out) {
    text +=
        fmt::format("At the size that was left out to check, time is off by {} and the peak by {}.",
                    format_percent(throughput.held_out->iteration_percent),
                    format_percent(throughput.held_out->peak_percent));
  }
  return text;
}

std::string outlook_in_words(const Throughput& throughput) {
  const BatchModels& models = *throughput.models;
  std::string text;
  if (const auto limit = models.limit_samples_per_second()) {
    text += fmt::format("Throughput comes near to {} samples/s as the batch grows. ",
                        format_count(*limit));
  }
  if (throughput.max_batch_size) {
    const auto most = static_cast<double>(*throughput.max_batch_size);
    text += fmt::format("The largest batch that fits is about {}, with {} samples/s.",
                        format_count(most), format_count(models.samples_per_second_at(most)));
  }
  return text;
}

std::string paragraph(const Page& page, const std::string& text) {
  std::string block;
  for (const std::string& line : wrapped(text, page.options.width - 2)) block += "  " + line + "\n";
  return block;
}

std::string size_in_words(std::uint64_t batch_size) {
  return format_count(static_cast<double>(batch_size));
}

// A sentence for sizes that failed alike.
std::vector<std::string> failures_in_words(const std::vector<model::BatchFailure>& failures) {
  std::vector<std::string> sentences;
  for (auto at = failures.begin(); at != failures.end();) {
    std::string sizes = size_in_words(at->batch_size);
    auto next = at + 1;
    for (; next != failures.end() && next->what == at->what; ++next) {
      sizes += ", " + size_in_words(next->batch_size);
    }
    sentences.push_back("No step could be measured at " + sizes + ": " + printable(at->what));
    at = next;
  }
  return sentences;
}

std::string sample_table(const Page& page) {
  Table table({{"batch size"}, {"step"}, {"samples/s"}, {"peak"}, {"", Align::Left}});
  for (const model::BatchSample& sample : page.breakdown.throughput.samples) {
    const double per_second = 1e3 * static_cast<double>(sample.batch_size) / sample.iteration_ms;
    const char* remark = sample.held_out                                  ? "left out to check"
                         : sample.batch_size == page.breakdown.batch_size ? "this run's"
                                                                          : "";
    table.add({{size_in_words(sample.batch_size), Style::Strong},
               {format_time(sample.iteration_ms * 1e6)},
               {format_count(per_second)},
               {format_bytes(sample.peak_bytes)},
               {remark, Style::Faint}});
  }
  return table.render(page.options.width, page.paint);
}

}  // namespace

std::string render_throughput(const Page& page) {
  const Throughput& throughput = page.breakdown.throughput;
  if (throughput.samples.empty() && throughput.failures.empty()) return "";
  std::string text = page.heading("Other batch sizes", "fastest steps, without the recorder");
  if (!throughput.samples.empty()) text += sample_table(page);
  for (const std::string& sentence : failures_in_words(throughput.failures)) {
    text += paragraph(page, sentence + ".");
  }
  if (!throughput.models) {
    return text + paragraph(page, "Too few sizes could be measured to say more.");
  }
  return text + paragraph(page, outlook_in_words(throughput)) +
         paragraph(page, quality_in_words(throughput));
}

std::string batch_failures_in_short(const Page& page) {
  std::string text;
  for (const std::string& sentence : failures_in_words(page.breakdown.throughput.failures)) {
    text += "  " + page.paint(Style::Warm, "!") + " " +
            cut_right(sentence, page.options.width - kNoteIndent) + "\n";
  }
  return text;
}

}  // namespace sightline::profile
