#include "server/saved_page/timeline_copy.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/export/timeline.h"
#include "core/export/timeline_json.h"

namespace sightline::server {
namespace {

// What a page may have with a timeline, so that it can be sent to somebody.
constexpr std::size_t kMostPageBytes = 1'000'000;
constexpr double kBytesInMegabyte = 1e6;

}  // namespace

TimelineCopy timeline_copy(const model::Run& run, std::size_t page_bytes) {
  if (run.measurement) return {"null", "a measurement has no steps"};
  Result<exports::Timeline> last = exports::timeline(run, std::nullopt);
  if (!last) return {"null", last.error().message};
  last->steps = {last->step};
  std::string json = exports::timeline_json(run, last.value());
  const std::size_t bytes = page_bytes + json.size();
  if (bytes <= kMostPageBytes) return {std::move(json), ""};
  return {"null", fmt::format("the timeline was left out, because with it this page would have "
                              "{:.1f} MB; `sightline view` shows it",
                              static_cast<double>(bytes) / kBytesInMegabyte)};
}

}  // namespace sightline::server
