#include "server/training/training_copy.h"

#include <algorithm>

#include "server/messages.h"
#include "server/training/training_json.h"

namespace sightline::server {
namespace {

using Json = nlohmann::ordered_json;

// Columns of all series together: some megabytes at most.
constexpr std::uint64_t kColumns = 100'000;
constexpr std::uint64_t kFewestColumns = 20;
constexpr std::uint64_t kMostCopiedColumns = 300;
constexpr std::uint64_t kHistograms = 2'000;

std::uint64_t share(std::uint64_t all, std::size_t among) {
  return std::clamp(all / std::max<std::uint64_t>(1, among), kFewestColumns, kMostCopiedColumns);
}

std::vector<model::SeriesId> ids_of(const Json& series) {
  std::vector<model::SeriesId> ids;
  for (const Json& one : series) ids.push_back(one["id"].get<model::SeriesId>());
  return ids;
}

}  // namespace

Result<std::string> training_copy(const std::filesystem::path& run) {
  const Result<store::TrainingReader> reader = store::TrainingReader::open(run);
  if (!reader) return reader.error();
  const Result<Json> overview = overview_json(reader.value(), false);
  if (!overview) return overview.error();
  if (!overview.value()["supervised"].get<bool>()) return std::string("null");

  const std::vector<model::SeriesId> ids = ids_of(overview.value()["series"]);
  const Result<Json> curves = curves_json(reader.value(), ids, {{}, share(kColumns, ids.size())});
  if (!curves) return curves.error();
  Json histograms = Json::array();
  const std::vector<model::SeriesId> spread = ids_of(overview.value()["histograms"]);
  for (const model::SeriesId id : spread) {
    const Result<Json> one =
        histograms_json(reader.value(), id, {{}, share(kHistograms, spread.size())});
    if (!one) return one.error();
    histograms.push_back(one.value());
  }
  return dump(
      {{"overview", overview.value()}, {"curves", curves.value()}, {"histograms", histograms}});
}

}  // namespace sightline::server
