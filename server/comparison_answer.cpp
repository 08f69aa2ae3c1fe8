#include "server/comparison_answer.h"

#include <utility>

#include "core/measure/compare/comparison_reports.h"
#include "core/profile/compare/comparison_json.h"
#include "core/profile/compare/report_comparison.h"
#include "core/profile/compare/source_diff.h"
#include "core/profile/report/safe_text.h"
#include "core/store/run_reader.h"
#include "server/audience.h"
#include "server/http/answer.h"
#include "server/messages.h"

namespace sightline::server {
namespace {

Response comparison_json_answer(std::string json) {
  return {200, "application/json", make_message(std::move(json)), {}};
}

std::string compared_runs(const model::Run& before, const model::Run& after) {
  const profile::Comparison comparison = profile::compare(before, after);
  nlohmann::ordered_json json = profile::comparison_json(comparison);
  json["words"] = profile::valid_utf8(profile::comparison_in_words(comparison));
  json["code"] = profile::source_diff_json(profile::source_diff(before, after));
  return dump(json);
}

}  // namespace

Response comparison_answer(const std::filesystem::path& before,
                           const std::filesystem::path& after) {
  const Result<model::Run> a = store::read_run(before, {.events = false});
  if (!a) return error_answer(404, "not_found", a.error().message);
  const Result<model::Run> b = store::read_run(after, {.events = false});
  if (!b) return error_answer(404, "not_found", b.error().message);
  if (a->measurement.has_value() != b->measurement.has_value()) {
    return error_answer(404, "not_found",
                        "one is the measurement of a model, the other a recorded run; "
                        "compare two of a kind");
  }
  if (!a->measurement) return comparison_json_answer(compared_runs(a.value(), b.value()));
  return comparison_json_answer(measure::render_compared_measurements_json(
      measure::compare_measurements({&a.value(), &b.value()}),
      {before.filename().string(), after.filename().string()}));
}

}  // namespace sightline::server
