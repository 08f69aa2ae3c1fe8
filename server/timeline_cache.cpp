#include "server/timeline_cache.h"

#include "core/export/timeline.h"
#include "core/export/timeline_json.h"
#include "core/store/run_reader.h"

namespace sightline::server {

Result<Message> TimelineCache::find(const std::filesystem::path& run,
                                    std::optional<std::uint64_t> step) {
  if (timeline_ && run == run_ && step == step_) return timeline_;
  const Result<model::Run> read = store::read_run(run);
  if (!read) return read.error();
  const Result<exports::Timeline> made = exports::timeline(read.value(), step);
  if (!made) return made.error();
  timeline_ = make_message(exports::timeline_json(read.value(), made.value()));
  run_ = run;
  step_ = step;
  return timeline_;
}

}  // namespace sightline::server
