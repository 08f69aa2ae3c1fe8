#include "core/export/chrome_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/export/json_text.h"
#include "core/export/trace_layout.h"
#include "core/profile/call_tree.h"
#include "core/profile/source_lines.h"

namespace sightline::exports {
namespace {

using model::NodeId;

constexpr int kProcess = 1;
constexpr const char kLiveBytes[] = "live bytes since the start of the step";

// Not by way of a double, which could move a slice out of the one around it.
std::string microseconds(std::uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

// What a slice says of its line. Library lines are charged to the project line that called them, as
// in the report; the library line itself is named beside it.
class LineArguments {
 public:
  explicit LineArguments(const model::Run& run)
      : run_(run),
        tree_(run),
        sources_(run),
        project_node_(tree_.size(), model::kNone),
        module_(tree_.size(), model::kNone) {
    for (const NodeId node : tree_.parents_first()) {
      const NodeId parent = tree_.parent(node);
      const model::ModuleId own_module = tree_.module(node);
      project_node_[node] = tree_.in_project(node) ? node : project_node_[parent];
      module_[node] = own_module != model::kNone ? own_module : module_[parent];
    }
  }

  // Members of a JSON object without its braces; may be empty.
  const std::string& of(NodeId wanted) {
    const NodeId node = tree_.known(wanted);
    const auto [it, added] = texts_.try_emplace(node);
    if (added) it->second = make(node);
    return it->second;
  }

 private:
  std::string make(NodeId node) {
    std::string text;
    const NodeId shown = project_node_[node] != model::kNone ? project_node_[node] : node;
    const model::Frame* frame = tree_.frame(shown);
    const model::File* file = tree_.file(shown);
    if (frame != nullptr && file != nullptr) {
      text = fmt::format(R"("file":{},"line":{},"function":{})", json_text(file->path), frame->line,
                         json_text(frame->function));
      if (const std::optional<std::string> source = sources_.line(*file, frame->line)) {
        text += fmt::format(R"(,"source":{})", json_text(*source));
      }
    }
    if (shown != node && tree_.frame(node) != nullptr && tree_.file(node) != nullptr) {
      text += fmt::format(
          R"(,"library_line":{})",
          json_text(fmt::format("{}:{}", tree_.file(node)->path, tree_.frame(node)->line)));
    }
    if (const model::Module* module = profile::row_at(run_.modules, module_[node])) {
      text += fmt::format(R"({}"module":{})", text.empty() ? "" : ",",
                          json_text(module->path.empty() ? module->type : module->path));
    }
    return text;
  }

  const model::Run& run_;
  profile::CallTree tree_;
  profile::SourceLines sources_;
  std::vector<NodeId> project_node_;     // by node: the nearest one up the tree, itself included
  std::vector<model::ModuleId> module_;  // by node: the innermost
  std::unordered_map<NodeId, std::string> texts_;
};

class TraceText {
 public:
  explicit TraceText(const model::Run& run) : run_(run), lines_(run) {}

  std::string make(const std::vector<SampledStep>& steps) {
    for (const SampledStep& step : steps) add_step(step);
    // A slice stays before those within it, which may begin at the same time.
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.at_ns < b.at_ns; });
    std::string text =
        "{\"displayTimeUnit\":\"ms\",\"otherData\":" + about() + ",\"traceEvents\":[";
    text += metadata("process_name", model::kNone, json_text(process_name()));
    for (const model::Thread& thread : run_.threads) {
      if (thread.id == model::kNone) continue;
      const std::string name = thread.training ? thread.name + " (training)" : thread.name;
      text += ",\n" + metadata("thread_name", thread.id, json_text(name));
    }
    for (const Entry& entry : entries_) text += ",\n" + entry.text;
    return text + "]}\n";
  }

 private:
  struct Entry {
    std::uint64_t at_ns;
    std::string text;
  };

  std::string process_name() const {
    return run_.info.command.empty() ? "sightline" : run_.info.command;
  }

  std::string about() const {
    return fmt::format(R"({{"sightline":{},"command":{},"started":{},"device":{},"framework":{}}})",
                       json_text(run_.info.version), json_text(run_.info.command),
                       json_text(run_.info.started), json_text(run_.info.device),
                       json_text(run_.info.framework + " " + run_.info.framework_version));
  }

  static std::string metadata(const char* what, model::ThreadId thread, const std::string& name) {
    return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what,
                       kProcess, thread, name);
  }

  void add_slice(std::uint64_t start_ns, std::uint64_t end_ns, model::ThreadId thread,
                 const std::string& name, std::string_view category, const std::string& arguments) {
    entries_.push_back(
        {start_ns,
         fmt::format(
             R"({{"ph":"X","name":{},"cat":"{}","ts":{},"dur":{},"pid":{},"tid":{},"args":{{{}}}}})",
             name, category, microseconds(start_ns), microseconds(end_ns - start_ns), kProcess,
             thread, arguments)});
  }

  void add_step(const SampledStep& step) {
    std::string arguments = fmt::format(R"("step":{})", step.index);
    if (step.row != nullptr) {
      arguments += fmt::format(
          R"(,"role":"{}","wall_ns":{},"evaluation_ns":{},"operators":{},"peak_bytes":{})",
          model::name_of(step.row->role), step.row->wall_ns, step.row->evaluation_ns,
          step.row->operators, step.row->peak_bytes);
    }
    add_slice(step.start_ns, step.end_ns, step.thread, fmt::format("\"step {}\"", step.index),
              "step", arguments);
    for (const ThreadSlices& thread : step.threads) {
      for (const Slice& slice : thread.slices) add_operator(thread.thread, slice);
    }
    for (const LivePoint& point : step.live) {
      entries_.push_back(
          {point.at_ns,
           fmt::format(R"({{"ph":"C","name":"{}","ts":{},"pid":{},"args":{{"bytes":{}}}}})",
                       kLiveBytes, microseconds(point.at_ns), kProcess, point.bytes)});
    }
  }

  void add_operator(model::ThreadId thread, const Slice& slice) {
    const model::Operator* op = profile::row_at(run_.operators, slice.op);
    const std::string_view kind = model::name_of(slice.kind);
    std::string arguments = lines_.of(slice.node);
    if (slice.allocated_bytes > 0) {
      arguments += fmt::format(R"({}"allocated_bytes":{})", arguments.empty() ? "" : ",",
                               slice.allocated_bytes);
    }
    add_slice(slice.start_ns, slice.end_ns, thread, json_text(op == nullptr ? kind : op->name),
              kind, arguments);
  }

  const model::Run& run_;
  LineArguments lines_;
  std::vector<Entry> entries_;
};

}  // namespace

Result<std::string> chrome_trace(const model::Run& run) {
  const std::vector<SampledStep> steps = lay_out_steps(run);
  if (steps.empty()) {
    return Error{ErrorKind::Unsupported,
                 "the run has no sampled step, so there is no trace to be made of it; single "
                 "events are kept of a few steps after the warm-up, so record some more steps"};
  }
  return TraceText(run).make(steps);
}

}  // namespace sightline::exports
