#include "server/training/training_answer.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "server/audience.h"
#include "server/http/answer.h"
#include "server/messages.h"
#include "server/query.h"
#include "server/training/run_growth.h"
#include "server/training/training_json.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

// More than any screen has; what is asked for is made in one go.
constexpr std::uint64_t kMostColumns = 4000;
constexpr std::uint64_t kUsualColumns = 400;
constexpr std::size_t kMostSeries = 5000;

Response not_found(const std::string& why) { return error_answer(404, "not_found", why); }

Response answer_with(const Result<Json>& json) {
  if (!json) return not_found(json.error().message);
  return {200, "application/json", make_message(dump(json.value())), {}};
}

// Nothing if a number is none.
std::optional<TrainingWindow> window_of(const Request& request, const std::string& columns) {
  const store::StepRange all;
  const auto from = number_of(request, "from", all.first);
  const auto to = number_of(request, "to", all.last);
  const auto count = number_of(request, columns, kUsualColumns);
  if (!from || !to || !count) return std::nullopt;
  return TrainingWindow{{*from, std::min(*to, all.last)},
                        std::clamp<std::uint64_t>(*count, 1, kMostColumns)};
}

// Nothing if one of them cannot be a series.
std::optional<std::vector<model::SeriesId>> series_of(const Request& request,
                                                      const std::string& name) {
  const auto asked = numbers_of(request, name);
  if (!asked || asked->size() > kMostSeries) return std::nullopt;
  std::vector<model::SeriesId> series;
  for (const std::uint64_t id : *asked) {
    if (id > std::numeric_limits<model::SeriesId>::max()) return std::nullopt;
    series.push_back(static_cast<model::SeriesId>(id));
  }
  return series;
}

Result<Json> overview(const store::TrainingReader& reader, const std::filesystem::path& run) {
  const Result<bool> finished = reader.finished();
  if (!finished) return finished.error();
  return overview_json(reader, !finished.value() && was_written_lately(run));
}

}  // namespace

bool is_about_training(const Request& request) {
  static const std::set<std::string> kPaths = {"/api/training", "/api/series", "/api/heat",
                                               "/api/histograms"};
  return kPaths.contains(request.path);
}

Response training_answer(const std::filesystem::path& run, const Request& request) {
  const bool by_points = request.path == "/api/series";
  const auto window = window_of(request, by_points ? "points" : "columns");
  const auto series = series_of(request, by_points ? "ids" : "series");
  if (run.empty() || !window || !series) {
    return not_found("there is no such run or series, or not yet");
  }
  const Result<store::TrainingReader> reader = store::TrainingReader::open(run);
  if (!reader) return not_found(reader.error().message);
  if (by_points) return answer_with(curves_json(reader.value(), *series, *window));
  const model::SeriesId one = series->empty() ? model::kNone : series->front();
  if (request.path == "/api/heat") return answer_with(heat_json(reader.value(), one, *window));
  if (request.path == "/api/histograms") {
    return answer_with(histograms_json(reader.value(), one, *window));
  }
  return answer_with(overview(reader.value(), run));
}

}  // namespace sightline::server
