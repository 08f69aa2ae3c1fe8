#include "core/store/read_tables.h"

#include <charconv>
#include <string>
#include <utility>

#include "core/store/event_coding.h"
#include "core/store/read_measurement.h"
#include "core/store/schema.h"

namespace sightline::store {
namespace {

using model::Run;

template <typename Number>
void parse_number(Rows& rows, const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) rows.damaged("not a number");
}

void read_info(Reading& reading, model::RunInfo& info) {
  const std::pair<std::string_view, std::string*> texts[] = {
      {"version", &info.version},
      {"command", &info.command},
      {"started", &info.started},
      {"host", &info.host},
      {"device", &info.device},
      {"framework", &info.framework},
      {"framework_version", &info.framework_version},
      {"python", &info.python},
      {"git_commit", &info.git_commit},
      {"root", &info.root},
      {"problem", &info.problem},
  };
  Rows rows(reading, "meta", "SELECT key, value FROM meta");
  while (rows.next()) {
    const std::string key = rows.text();
    const std::string value = rows.text();
    if (key == "threads") parse_number(rows, value, info.threads);
    if (key == "rank") parse_number(rows, value, info.rank);
    if (key == "world_size") parse_number(rows, value, info.world_size);
    if (key == "device_peak_bytes") parse_number(rows, value, info.device_memory.peak_bytes);
    if (key == "device_capacity_bytes") {
      parse_number(rows, value, info.device_memory.capacity_bytes);
    }
    if (key == "finished") info.finished = value == "1";
    for (const auto& [name, member] : texts) {
      if (key == name) *member = value;
    }
  }
}

// Reads the id column, which must count up from 0 without a gap.
template <typename Table>
auto& next_entry(Rows& rows, Table& table) {
  const std::uint32_t id = rows.number32();
  if (id != table.size()) rows.damaged("ids with a gap");
  auto& entry = table.emplace_back();
  entry.id = id;
  return entry;
}

void read_files(Reading& reading, Run& run) {
  Rows sources(reading, "sources", "SELECT hash, text FROM sources");
  while (sources.next()) {
    std::string hash = sources.text();
    run.sources[std::move(hash)] = sources.text();
  }
  Rows rows(reading, "files",
            "SELECT id, path, absolute_path, role, source_hash FROM files ORDER BY id");
  while (rows.next()) {
    model::File& file = next_entry(rows, run.files);
    file.path = rows.text();
    file.absolute_path = rows.text();
    file.role = rows.word<model::FileRole>(model::kFileRoles);
    file.source_hash = rows.text();
    // A text may be missing: it came later than the file, or the budget refused it.
    if (!run.sources.contains(file.source_hash)) file.source_hash.clear();
  }
}

void check_modules_are_a_forest(Reading& reading, const Run& run) {
  enum class Mark : char { Unseen, OnPath, Done };
  std::vector<Mark> marks(run.modules.size(), Mark::Unseen);
  std::vector<model::ModuleId> path;
  for (const model::Module& start : run.modules) {
    model::ModuleId at = start.id;
    while (at != model::kNone && marks[at] == Mark::Unseen) {
      marks[at] = Mark::OnPath;
      path.push_back(at);
      at = run.modules[at].parent;
    }
    if (at != model::kNone && marks[at] == Mark::OnPath) {
      reading.damaged("table modules: modules contain each other");
    }
    for (const model::ModuleId passed : path) marks[passed] = Mark::Done;
    path.clear();
  }
}

void read_modules(Reading& reading, Run& run) {
  Rows rows(
      reading, "modules",
      "SELECT id, parent, path, type, parameter_bytes, buffer_bytes FROM modules ORDER BY id");
  while (rows.next()) {
    model::Module& module = next_entry(rows, run.modules);
    module.parent = rows.number32();
    module.path = rows.text();
    module.type = rows.text();
    module.parameter_bytes = rows.number();
    module.buffer_bytes = rows.number();
  }
  for (const model::Module& module : run.modules) {
    // A parent may have been met after its child, so it is checked when all are there.
    const bool bad_root = module.id == model::kNone && module.parent != model::kNone;
    if (bad_root || module.parent >= run.modules.size()) {
      reading.damaged("table modules: a parent that does not exist");
    }
  }
  if (reading.ok()) check_modules_are_a_forest(reading, run);
}

void read_tree(Reading& reading, Run& run) {
  Rows frames(reading, "frames", "SELECT id, file, function, line FROM frames ORDER BY id");
  while (frames.next()) {
    model::Frame& frame = next_entry(frames, run.frames);
    frame.file = frames.id(run.files.size());
    frame.function = frames.text();
    frame.line = frames.number32();
  }
  Rows nodes(reading, "nodes", "SELECT id, parent, frame, module FROM nodes ORDER BY id");
  while (nodes.next()) {
    model::Node& node = next_entry(nodes, run.nodes);
    node.parent = nodes.id(node.id == model::kNone ? 1 : node.id);
    node.frame = nodes.id(run.frames.size());
    node.module = nodes.id(run.modules.size());
  }
}

void read_names(Reading& reading, Run& run) {
  Rows operators(reading, "operators", "SELECT id, name FROM operators ORDER BY id");
  while (operators.next()) {
    model::Operator& op = next_entry(operators, run.operators);
    op.name = operators.text();
  }
  Rows threads(reading, "threads", "SELECT id, name, training FROM threads ORDER BY id");
  while (threads.next()) {
    model::Thread& thread = next_entry(threads, run.threads);
    thread.name = threads.text();
    thread.training = threads.flag();
  }
}

void read_costs(Reading& reading, Run& run) {
  Rows costs(reading, "costs",
             "SELECT node, op, kind, thread, self_ns, calls, python_calls, allocated_bytes, "
             "allocations FROM costs");
  while (costs.next()) {
    model::Cost& cost = run.costs.emplace_back();
    cost.node = costs.id(run.nodes.size());
    cost.op = costs.id(run.operators.size());
    cost.kind = costs.word<model::CostKind>(model::kCostKinds);
    cost.thread = costs.id(run.threads.size());
    cost.self_ns = costs.number();
    cost.calls = costs.number();
    cost.python_calls = costs.number();
    cost.allocated_bytes = costs.number();
    cost.allocations = costs.number();
  }
  Rows calls(reading, "module_calls", "SELECT node, thread, calls FROM module_calls");
  while (calls.next()) {
    model::ModuleCalls& entry = run.module_calls.emplace_back();
    entry.node = calls.id(run.nodes.size());
    entry.thread = calls.id(run.threads.size());
    entry.calls = calls.number();
  }
}

void read_steps(Reading& reading, Run& run) {
  Rows rows(reading, "steps",
            "SELECT step, role, start_ns, wall_ns, evaluation_ns, " + kind_columns() +
                ", operators, allocated_bytes, peak_bytes FROM steps ORDER BY step");
  while (rows.next()) {
    model::Step& step = run.steps.emplace_back();
    step.index = rows.number();
    step.role = rows.word<model::StepRole>(model::kStepRoles);
    step.start_ns = rows.number();
    step.wall_ns = rows.number();
    step.evaluation_ns = rows.number();
    for (std::uint64_t& ns : step.kind_ns) ns = rows.number();
    step.operators = rows.number();
    step.allocated_bytes = rows.number();
    step.peak_bytes = rows.number();
  }
}

void read_events(Reading& reading, Run& run) {
  Rows rows(reading, "events", "SELECT step, thread, count, events FROM events ORDER BY id");
  while (rows.next()) {
    model::EventBatch& batch = run.events.emplace_back();
    batch.step = rows.number();
    batch.thread = rows.id(run.threads.size());
    const std::uint64_t count = rows.number();
    Result<std::vector<model::Event>> events = decode_events(rows.blob(), count);
    if (!events) {
      reading.damaged("table events: " + events.error().message);
      return;
    }
    batch.events = std::move(events).value();
    for (const model::Event& event : batch.events) {
      if (event.op >= run.operators.size() || event.node >= run.nodes.size()) {
        rows.damaged("an event with an id that does not exist");
      }
    }
  }
}

void read_figures(Reading& reading, Run& run) {
  Rows ranges(reading, "ranges", "SELECT name, calls, total_ns FROM ranges");
  while (ranges.next()) {
    model::NamedRange& range = run.ranges.emplace_back();
    range.name = ranges.text();
    range.calls = ranges.number();
    range.total_ns = ranges.number();
  }
  Rows drops(reading, "drops", "SELECT what, count FROM drops");
  while (drops.next()) {
    model::Drop& drop = run.drops.emplace_back();
    drop.what = drops.text();
    drop.count = drops.number();
  }
  Rows blocks(reading, "peak_blocks", "SELECT node, category, bytes, count FROM peak_blocks");
  while (blocks.next()) {
    model::PeakBlocks& block = run.peak_blocks.emplace_back();
    block.node = blocks.id(run.nodes.size());
    block.category = blocks.word<model::Category>(model::kCategories);
    block.bytes = blocks.number();
    block.count = blocks.number();
  }
  Rows totals(reading, "totals",
              "SELECT steps, whole_recording, counted_steps, wall_ns, " + kind_columns() +
                  ", evaluation_ns, overhead_percent, overhead_pairs, batch_size, step_stride "
                  "FROM totals");
  while (totals.next()) {
    run.totals.steps = totals.number();
    run.totals.whole_recording = totals.flag();
    run.totals.counted_steps = totals.number();
    run.totals.wall_ns = totals.number();
    for (std::uint64_t& ns : run.totals.kind_ns) ns = totals.number();
    run.totals.evaluation_ns = totals.number();
    run.totals.overhead_percent = totals.real();
    run.totals.overhead_pairs = totals.number();
    run.totals.batch_size = totals.number();
    run.totals.step_stride = totals.number();
    if (run.totals.step_stride == 0) totals.damaged("a stride of 0");
  }
  Rows memory(reading, "memory",
              "SELECT known, peak_bytes, boundary_peak_bytes, peak_step, process_peak_bytes, "
              "capacity_bytes FROM memory");
  while (memory.next()) {
    run.memory.known = memory.flag();
    run.memory.peak_bytes = memory.number();
    run.memory.boundary_peak_bytes = memory.number();
    run.memory.peak_step = memory.number();
    run.memory.process_peak_bytes = memory.number();
    run.memory.capacity_bytes = memory.number();
  }
}

void read_batch_samples(Reading& reading, Run& run) {
  Rows rows(reading, "batch_samples",
            "SELECT batch_size, iteration_ms, iteration_noise_ms, peak_bytes, resident_bytes, "
            "held_out FROM batch_samples ORDER BY batch_size");
  while (rows.next()) {
    model::BatchSample sample;
    sample.batch_size = rows.number();
    sample.iteration_ms = rows.real();
    sample.iteration_noise_ms = rows.real();
    sample.peak_bytes = rows.number();
    sample.resident_bytes = rows.number();
    sample.held_out = rows.flag();
    run.batch_samples.push_back(sample);
  }
}

}  // namespace

void read_tables(Reading& reading, bool events, Run& run) {
  read_info(reading, run.info);
  read_files(reading, run);
  read_modules(reading, run);
  read_tree(reading, run);
  read_names(reading, run);
  const bool rooted = !run.files.empty() && !run.frames.empty() && !run.nodes.empty() &&
                      !run.modules.empty() && !run.operators.empty() && !run.threads.empty();
  if (!rooted) reading.damaged("a table without its entry 0");
  read_costs(reading, run);
  read_steps(reading, run);
  if (events) read_events(reading, run);
  read_figures(reading, run);
  read_batch_samples(reading, run);
  read_measurement(reading, run.measurement);
}

}  // namespace sightline::store
