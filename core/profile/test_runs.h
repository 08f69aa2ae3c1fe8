// Runs made by hand, for the tests of this room.
#pragma once

#include <map>
#include <string>

#include "core/model/run.h"

namespace sightline::profile {

class RunBuilder {
 public:
  RunBuilder() {
    run_.files.resize(1);
    run_.frames.resize(1);
    run_.nodes.resize(1);
    run_.modules.resize(1);
    run_.operators.resize(1);
    run_.threads.resize(1);
    run_.info.finished = true;
    run_.totals.counted_steps = run_.totals.steps = 1;
    main_ = thread("MainThread", true);
  }

  model::ThreadId thread(const std::string& name, bool training) {
    const auto id = static_cast<model::ThreadId>(run_.threads.size());
    run_.threads.push_back({id, name, training});
    return id;
  }

  model::FileId file(const std::string& path, model::FileRole role = model::FileRole::Project,
                     const std::string& source = "") {
    const auto id = static_cast<model::FileId>(run_.files.size());
    run_.files.push_back({id, path, "/project/" + path, role, source.empty() ? "" : path});
    if (!source.empty()) run_.sources[path] = source;
    return id;
  }

  // A node for that line beneath the parent.
  model::NodeId node(model::NodeId parent, model::FileId file, std::uint32_t line,
                     const std::string& function, model::ModuleId module = model::kNone) {
    const auto frame = static_cast<model::FrameId>(run_.frames.size());
    run_.frames.push_back({frame, file, function, line});
    const auto id = static_cast<model::NodeId>(run_.nodes.size());
    run_.nodes.push_back({id, parent, frame, module});
    return id;
  }

  model::ModuleId module(model::ModuleId parent, const std::string& path, const std::string& type,
                         std::uint64_t parameter_bytes = 0) {
    const auto id = static_cast<model::ModuleId>(run_.modules.size());
    run_.modules.push_back({id, parent, path, type, parameter_bytes, 0});
    return id;
  }

  model::OperatorId op(const std::string& name) {
    if (name.empty()) return model::kNone;
    const auto [it, added] =
        operators_.try_emplace(name, static_cast<model::OperatorId>(run_.operators.size()));
    if (added) run_.operators.push_back({it->second, name});
    return it->second;
  }

  model::Cost& cost(model::NodeId node, model::CostKind kind, std::uint64_t self_ns,
                    const std::string& op_name = "", std::uint64_t calls = 0) {
    run_.costs.push_back({node, op(op_name), kind, main_, self_ns, calls, calls, 0, 0});
    run_.totals.kind_ns[static_cast<std::size_t>(kind)] += self_ns;
    run_.totals.wall_ns += self_ns;
    return run_.costs.back();
  }

  void module_calls(model::NodeId node, std::uint64_t calls) {
    run_.module_calls.push_back({node, main_, calls});
  }

  void peak(model::NodeId node, model::Category category, std::uint64_t bytes) {
    run_.peak_blocks.push_back({node, category, bytes, 1});
    run_.memory.known = true;
    run_.memory.peak_bytes += bytes;
  }

  void step(std::uint64_t index, model::StepRole role, std::uint64_t wall_ns) {
    model::Step step;
    step.index = index;
    step.role = role;
    step.wall_ns = wall_ns;
    run_.steps.push_back(step);
  }

  model::ThreadId main() const { return main_; }
  model::Run& run() { return run_; }

 private:
  model::Run run_;
  std::map<std::string, model::OperatorId> operators_;
  model::ThreadId main_ = model::kNone;
};

}  // namespace sightline::profile
