// A program made by hand for tests: stacks, operators and steps without any framework.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/record/recorder.h"

namespace sightline::record {

// One call on a made-up stack: line `line` of function `function`, or the call of a module.
struct Place {
  std::string function;
  int line = 0;
  const void* module = nullptr;
  std::uint64_t call = 0;
};

class FakeProgram final : public FrameResolver {
 public:
  explicit FakeProgram(std::size_t budget_bytes = kDefaultMemoryBudget)
      : recorder(
            *this, [this](bool on) { observing = on; }, budget_bytes),
        thread(*recorder.add_thread(kFrameworkThread, "main")) {}

  // Outermost first, as people write stacks.
  Stack put_stack(const std::vector<Place>& stack) { return put_stack(thread, stack); }
  Stack put_stack(ThreadRecorder& on, const std::vector<Place>& stack) {
    std::size_t index = stack.size();
    for (const Place& place : stack) {
      RawFrame& frame = on.scratch()[--index];
      frame = {};
      frame.code = code_of(place.function);
      frame.offset = place.line;
      frame.module = place.module;
      frame.call = place.call;
    }
    return {stack.size(), 0};
  }

  // Starts an activity called from Python with this stack; the handle ends it.
  const void* begin(const std::vector<Place>& stack, const std::string& name,
                    Activity activity = Activity::Operator, std::int64_t sequence = -1) {
    Start start;
    start.handle = next_handle();
    start.op = recorder.operator_id(name);
    start.activity = activity;
    start.sequence = sequence;
    start.forward_thread = kFrameworkThread;
    if (name == "aten::to") start.is_copy = true;
    thread.begin(start, {start.handle, start.handle}, put_stack(stack));
    return start.handle;
  }
  // Starts an activity that C++ called: it has the position of the one around it.
  const void* begin_inside(const std::string& name, Activity activity = Activity::Operator,
                           std::int64_t sequence = -1) {
    Start start;
    start.handle = next_handle();
    start.op = recorder.operator_id(name);
    start.activity = activity;
    start.sequence = sequence;
    start.forward_thread = kFrameworkThread;
    thread.begin(start, {}, {});
    return start.handle;
  }
  void call(const std::vector<Place>& stack, const std::string& name, std::int64_t sequence = -1) {
    thread.end(begin(stack, name, Activity::Operator, sequence));
  }
  void end_step() { thread.end_step({}); }

  // Closes the recording and collects everything that was published, the newest row of each key.
  model::Run finish() {
    recorder.close();
    merge(recorder.take_delta(true));
    return run;
  }
  void merge(const model::Delta& delta);

  // All lines of the path to a node, "function:line", outermost first.
  std::string path_of(model::NodeId node) const {
    if (node == model::kNone) return "";
    const model::Node& info = run.nodes.at(node);
    const model::Frame& frame = run.frames.at(info.frame);
    const std::string above = path_of(info.parent);
    return above + (above.empty() ? "" : " ") + frame.function + ":" + std::to_string(frame.line);
  }

  ResolvedFrame resolve(const RawFrame& frame) override {
    const std::string& function = *static_cast<const std::string*>(frame.code);
    return {"program.py", function, static_cast<std::uint32_t>(frame.offset),
            function == "checkpoint"};
  }
  model::ModuleId register_module(const void* module, const void*) override {
    if (const model::ModuleId known = recorder.modules().find(module); known != model::kNone) {
      return known;
    }
    ModuleTable::Entry entry;
    entry.address = module;
    entry.type = "Module";
    entry.parameter_bytes = 4;
    return recorder.modules().add(entry);
  }

  static constexpr std::uint64_t kFrameworkThread = 1;
  bool observing = true;
  model::Run run;
  Recorder recorder;
  ThreadRecorder& thread;

 private:
  const void* code_of(const std::string& function) { return &*functions_.insert(function).first; }
  const void* next_handle() { return reinterpret_cast<const void*>(++handles_); }

  std::set<std::string> functions_;
  std::uintptr_t handles_ = 0;
};

template <typename Row>
void put_by_id(std::vector<Row>& table, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (table.size() <= row.id) table.resize(row.id + 1);
    table[row.id] = row;
  }
}

inline void FakeProgram::merge(const model::Delta& delta) {
  put_by_id(run.files, delta.files);
  put_by_id(run.frames, delta.frames);
  put_by_id(run.nodes, delta.nodes);
  put_by_id(run.modules, delta.modules);
  put_by_id(run.operators, delta.operators);
  put_by_id(run.threads, delta.threads);
  for (const model::Cost& cost : delta.costs) {
    std::erase_if(run.costs, [&](const model::Cost& old) {
      return old.node == cost.node && old.op == cost.op && old.kind == cost.kind &&
             old.thread == cost.thread;
    });
    run.costs.push_back(cost);
  }
  for (const model::ModuleCalls& calls : delta.module_calls) {
    std::erase_if(run.module_calls,
                  [&](const model::ModuleCalls& old) { return old.node == calls.node; });
    run.module_calls.push_back(calls);
  }
  for (const model::Step& step : delta.steps) {
    std::erase_if(run.steps, [&](const model::Step& old) { return old.index == step.index; });
    run.steps.push_back(step);
  }
  run.events.insert(run.events.end(), delta.events.begin(), delta.events.end());
  run.ranges = delta.ranges;
  run.drops = delta.drops;
  run.totals = delta.totals;
  run.memory = delta.memory;
  if (delta.has_peak_blocks) run.peak_blocks = delta.peak_blocks;
}

}  // namespace sightline::record
