#include "core/export/timeline_json.h"

#include <fmt/format.h>

#include <iterator>
#include <span>

#include "core/export/json_text.h"
#include "core/profile/call_tree.h"

namespace sightline::exports {
namespace {

// Values of JSON, one after the other. Written as text at once: a step can have a million numbers.
template <typename Items, typename Value>
std::string column_text(const Items& items, Value value) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    fmt::format_to(std::back_inserter(text), "{}", value(item));
  }
  return text + "]";
}

// Entry 0 of a table means "nothing", and is not in the JSON.
std::int64_t position_of(std::uint32_t id) { return static_cast<std::int64_t>(id) - 1; }
std::int64_t position_of_line(std::uint32_t line) {
  return line == kNoLine ? -1 : static_cast<std::int64_t>(line);
}

// The rows of a table but for that of nothing.
template <typename Row, typename Value>
std::string rows_text(const std::vector<Row>& rows, Value value) {
  return rows.empty() ? "[]" : column_text(std::span(rows).subspan(1), value);
}

std::string lines_text(const model::Run& run, const std::vector<model::FrameId>& lines) {
  return column_text(lines, [&](model::FrameId id) {
    const model::Frame& frame = run.frames[id];
    return fmt::format(R"({{"path":{},"line":{},"function":{}}})",
                       json_text(run.files[frame.file].path), frame.line,
                       json_text(frame.function));
  });
}

std::string threads_text(const model::Run& run, const std::vector<model::ThreadId>& threads) {
  return column_text(threads, [&](model::ThreadId id) {
    const model::Thread* thread = profile::row_at(run.threads, id);
    return fmt::format(R"({{"name":{},"training":{}}})",
                       json_text(thread == nullptr ? "" : thread->name),
                       thread != nullptr && thread->training);
  });
}

template <typename Word>
std::string names_text(std::size_t count) {
  std::string text = "[";
  for (std::size_t at = 0; at < count; ++at) {
    if (at > 0) text += ',';
    text += json_text(model::name_of(static_cast<Word>(at)));
  }
  return text + "]";
}

std::string events_text(const std::vector<TimelineEvent>& events) {
  using Event = TimelineEvent;
  return fmt::format(
      R"({{"start_ns":{},"duration_ns":{},"depth":{},"thread":{},"line":{},"operator":{},"module":{},"phase":{}}})",
      column_text(events, [](const Event& event) { return event.start_ns; }),
      column_text(events, [](const Event& event) { return event.duration_ns; }),
      column_text(events, [](const Event& event) { return event.depth; }),
      column_text(events, [](const Event& event) { return event.thread; }),
      column_text(events, [](const Event& event) { return position_of_line(event.line); }),
      column_text(events, [](const Event& event) { return position_of(event.op); }),
      column_text(events, [](const Event& event) { return position_of(event.module); }),
      column_text(events, [](const Event& event) { return static_cast<int>(event.phase); }));
}

template <typename Held>
std::string held_text(const std::vector<Held>& held, const std::vector<std::uint32_t>& lines) {
  return fmt::format(
      R"("category":{},"bytes":{},"line":{})",
      column_text(held, [](const Held& one) { return static_cast<int>(one.category); }),
      column_text(held, [](const Held& one) { return one.bytes; }),
      column_text(lines, position_of_line));
}

std::string memory_text(const Timeline& timeline) {
  const StepMemory& memory = timeline.memory;
  if (memory.changes.empty()) return "null";
  using Change = StepMemory::Change;
  return fmt::format(
      R"({{"exact":{},"peak_bytes":{},"peak":{},"categories":{},"before":{{{}}},"changes":{{"time_ns":{},{}}}}})",
      memory.exact, memory.peak_bytes, memory.peak, names_text<model::Category>(model::kCategories),
      held_text(memory.before, timeline.before_line),
      column_text(memory.changes, [](const Change& change) { return change.at_ns; }),
      held_text(memory.changes, timeline.change_line));
}

}  // namespace

std::string timeline_json(const model::Run& run, const Timeline& timeline) {
  return fmt::format(
      R"({{"step":{},"steps":{},"duration_ns":{},"threads":{},"lines":{},"modules":{},"operators":{},"phases":{},"events":{},"memory":{}}})",
      timeline.step, column_text(timeline.steps, [](std::uint64_t step) { return step; }),
      timeline.duration_ns, threads_text(run, timeline.threads), lines_text(run, timeline.lines),
      rows_text(run.modules,
                [](const model::Module& module) {
                  return fmt::format(R"({{"path":{},"type":{}}})", json_text(module.path),
                                     json_text(module.type));
                }),
      rows_text(run.operators, [](const model::Operator& op) { return json_text(op.name); }),
      names_text<model::Phase>(model::kPhases), events_text(timeline.events),
      memory_text(timeline));
}

}  // namespace sightline::exports
