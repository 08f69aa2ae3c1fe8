#include "core/store/delta_writer.h"

#include <algorithm>

#include "core/store/event_coding.h"
#include "core/store/names.h"

namespace sightline::store {
namespace {

std::string replace_into(const char* table, const std::string& columns) {
  const auto count = std::count(columns.begin(), columns.end(), ',') + 1;
  std::string marks = "?";
  for (auto i = count; i > 1; --i) marks += ", ?";
  return std::string("INSERT OR REPLACE INTO ") + table + " (" + columns + ") VALUES (" + marks +
         ")";
}

}  // namespace

DeltaWriter::DeltaWriter(Database& db, std::uint64_t disk_budget_bytes)
    : budget_bytes_(disk_budget_bytes),
      meta_(db, replace_into("meta", "key, value")),
      file_(db, replace_into("files", "id, path, absolute_path, role, source_hash")),
      source_(db, replace_into("sources", "hash, text")),
      frame_(db, replace_into("frames", "id, file, function, line")),
      node_(db, replace_into("nodes", "id, parent, frame, module")),
      module_(db, replace_into("modules", "id, parent, path, type, parameter_bytes, buffer_bytes")),
      operator_(db, replace_into("operators", "id, name")),
      thread_(db, replace_into("threads", "id, name, training")),
      cost_(db, replace_into("costs",
                             "node, op, kind, thread, self_ns, calls, python_calls, "
                             "allocated_bytes, allocations")),
      module_calls_(db, replace_into("module_calls", "node, thread, calls")),
      step_(db,
            replace_into("steps", "step, role, start_ns, wall_ns, evaluation_ns, " +
                                      kind_columns() + ", operators, allocated_bytes, peak_bytes")),
      thin_steps_(db, "DELETE FROM steps WHERE step % ? <> 0"),
      event_batch_(db, "INSERT INTO events (step, thread, count, events) VALUES (?, ?, ?, ?)"),
      range_(db, replace_into("ranges", "name, calls, total_ns")),
      drop_(db, replace_into("drops", "what, count")),
      clear_peak_blocks_(db, "DELETE FROM peak_blocks"),
      peak_block_(db, replace_into("peak_blocks", "node, category, bytes, count")),
      totals_(db, replace_into("totals", "id, steps, whole_recording, counted_steps, wall_ns, " +
                                             kind_columns() +
                                             ", evaluation_ns, overhead_percent, overhead_pairs, "
                                             "batch_size, step_stride")),
      memory_(db, replace_into("memory",
                               "id, known, peak_bytes, boundary_peak_bytes, peak_step, "
                               "process_peak_bytes, capacity_bytes")),
      training_(db) {}

bool DeltaWriter::write(const model::Delta& delta, std::uint64_t used_bytes) {
  return write_definitions(delta) && write_sums(delta) && write_sources(delta, used_bytes) &&
         write_events(delta, used_bytes) && write_steps(delta, used_bytes) &&
         write_training(delta.training, used_bytes) && write_drops(delta);
}

bool DeltaWriter::write_meta(std::string_view key, const std::string& value) {
  return meta_.run(key, value);
}

bool DeltaWriter::write_info(const model::RunInfo& info) {
  return write_meta("version", info.version) && write_meta("command", info.command) &&
         write_meta("started", info.started) && write_meta("host", info.host) &&
         write_meta("device", info.device) && write_meta("framework", info.framework) &&
         write_meta("framework_version", info.framework_version) &&
         write_meta("python", info.python) && write_meta("git_commit", info.git_commit) &&
         write_meta("root", info.root) && write_meta("threads", std::to_string(info.threads)) &&
         write_meta("rank", std::to_string(info.rank)) &&
         write_meta("world_size", std::to_string(info.world_size)) &&
         write_meta("finished", info.finished ? "1" : "0") && write_meta("problem", info.problem) &&
         write_device_memory(info.device_memory);
}

bool DeltaWriter::write_device_memory(const model::DeviceMemory& memory) {
  if (memory.peak_bytes == 0) return true;
  return write_meta("device_peak_bytes", std::to_string(memory.peak_bytes)) &&
         write_meta("device_capacity_bytes", std::to_string(memory.capacity_bytes));
}

bool DeltaWriter::write_definitions(const model::Delta& delta) {
  for (const model::File& f : delta.files) {
    if (!file_.run(f.id, f.path, f.absolute_path, name_of(f.role), f.source_hash)) return false;
  }
  for (const model::Frame& f : delta.frames) {
    if (!frame_.run(f.id, f.file, f.function, f.line)) return false;
  }
  for (const model::Module& m : delta.modules) {
    if (!module_.run(m.id, m.parent, m.path, m.type, m.parameter_bytes, m.buffer_bytes)) {
      return false;
    }
  }
  for (const model::Node& n : delta.nodes) {
    if (!node_.run(n.id, n.parent, n.frame, n.module)) return false;
  }
  for (const model::Operator& o : delta.operators) {
    if (!operator_.run(o.id, o.name)) return false;
  }
  for (const model::Thread& t : delta.threads) {
    if (!thread_.run(t.id, t.name, t.training)) return false;
  }
  return true;
}

bool DeltaWriter::write_sums(const model::Delta& delta) {
  for (const auto& [node, op, kind, thread, self_ns, calls, python_calls, allocated_bytes,
                    allocations] : delta.costs) {
    if (!cost_.run(node, op, name_of(kind), thread, self_ns, calls, python_calls, allocated_bytes,
                   allocations)) {
      return false;
    }
  }
  for (const model::ModuleCalls& m : delta.module_calls) {
    if (!module_calls_.run(m.node, m.thread, m.calls)) return false;
  }
  for (const model::NamedRange& r : delta.ranges) {
    if (!range_.run(r.name, r.calls, r.total_ns)) return false;
  }
  if (delta.has_peak_blocks && !clear_peak_blocks_.run()) return false;
  for (const model::PeakBlocks& b : delta.peak_blocks) {
    if (delta.has_peak_blocks && !peak_block_.run(b.node, name_of(b.category), b.bytes, b.count)) {
      return false;
    }
  }
  return write_totals(delta.totals) && write_memory(delta.memory);
}

// Here and for costs and steps all members are named, so that one more does not compile before it
// has a column.
bool DeltaWriter::write_totals(const model::Totals& totals) {
  const auto& [steps, whole_recording, counted_steps, wall_ns, k, evaluation_ns, overhead_percent,
               overhead_pairs, batch_size, step_stride] = totals;
  return totals_.run(std::uint32_t{0}, steps, whole_recording, counted_steps, wall_ns, k[0], k[1],
                     k[2], k[3], k[4], k[5], k[6], k[7], evaluation_ns, overhead_percent,
                     overhead_pairs, batch_size, std::max<std::uint64_t>(step_stride, 1));
}

bool DeltaWriter::write_memory(const model::Memory& memory) {
  const auto& [known, peak_bytes, boundary_peak_bytes, peak_step, process_peak_bytes,
               capacity_bytes] = memory;
  return memory_.run(std::uint32_t{0}, known, peak_bytes, boundary_peak_bytes, peak_step,
                     process_peak_bytes, capacity_bytes);
}

bool DeltaWriter::write_events(const model::Delta& delta, std::uint64_t& used_bytes) {
  for (const model::EventBatch& batch : delta.events) {
    const std::vector<std::uint8_t> blob = encode_events(batch.events);
    if (used_bytes + blob.size() > budget_bytes_ / 10 * 8) {
      counting_.refused["events"] += batch.events.size();
      continue;
    }
    used_bytes += blob.size();
    if (!event_batch_.run(batch.step, batch.thread, std::uint64_t{batch.events.size()},
                          std::span<const std::uint8_t>(blob))) {
      return false;
    }
  }
  return true;
}

bool DeltaWriter::write_sources(const model::Delta& delta, std::uint64_t& used_bytes) {
  for (const model::Source& source : delta.sources) {
    if (used_bytes + source.text.size() > budget_bytes_ / 10 * 9) {
      ++counting_.refused["sources"];
      continue;
    }
    used_bytes += source.text.size();
    if (!source_.run(source.hash, source.text)) return false;
  }
  return true;
}

bool DeltaWriter::write_steps(const model::Delta& delta, std::uint64_t used_bytes) {
  const std::uint64_t stride = std::max<std::uint64_t>(delta.totals.step_stride, 1);
  if (stride != counting_.step_stride && !thin_steps_.run(stride)) return false;
  counting_.step_stride = stride;
  for (const auto& [index, role, start_ns, wall_ns, evaluation_ns, k, operators, allocated_bytes,
                    peak_bytes] : delta.steps) {
    if (index % stride != 0) continue;
    if (used_bytes > budget_bytes_) {
      ++counting_.refused["steps"];
      continue;
    }
    if (!step_.run(index, name_of(role), start_ns, wall_ns, evaluation_ns, k[0], k[1], k[2], k[3],
                   k[4], k[5], k[6], k[7], operators, allocated_bytes, peak_bytes)) {
      return false;
    }
  }
  return true;
}

bool DeltaWriter::write_training(const model::TrainingDelta& training, std::uint64_t used_bytes) {
  if (!training_.write_definitions(training)) return false;
  if (used_bytes <= budget_bytes_) return training_.write_figures(training);
  for (const model::TrainingStep& step : training.steps) {
    counting_.refused["series"] += step.figures;
  }
  return true;
}

bool DeltaWriter::write_drops(const model::Delta& delta) {
  for (const model::Drop& drop : delta.drops) counting_.recorded[drop.what] = drop.count;
  std::map<std::string, std::uint64_t> sums = counting_.recorded;
  for (const auto& [what, count] : counting_.refused) sums[what] += count;
  for (const auto& [what, count] : sums) {
    if (!drop_.run(what, count)) return false;
  }
  return true;
}

}  // namespace sightline::store
