// A run: everything that is recorded, as the run file holds it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/model/block.h"
#include "core/model/cost.h"
#include "core/model/event.h"
#include "core/model/frame.h"
#include "core/model/node.h"
#include "core/model/step.h"

namespace sightline::model {

// Where and how the run was made.
struct RunInfo {
  std::string version;  // of sightline
  std::string command;
  std::string started;  // ISO 8601, with zone
  std::string host;
  std::string device;
  std::string framework;
  std::string framework_version;
  std::string python;
  std::string git_commit;
  std::string root;
  std::uint32_t threads = 0;
  std::uint32_t rank = 0;
  std::uint32_t world_size = 1;
  bool finished = false;  // false: still recording, or ended by a crash
  std::string problem;    // why the collector turned itself off, if it did
};

struct Source {
  std::string hash;
  std::string text;
};

// What changed since the last delta. New rows are added; costs, calls, totals, ranges, drops,
// modules and memory replace the rows of the same key; `peak_blocks` replaces all, if present.
// Steps whose index totals.step_stride does not divide are to be removed.
struct Delta {
  std::vector<File> files;
  std::vector<Source> sources;
  std::vector<Frame> frames;
  std::vector<Node> nodes;
  std::vector<Module> modules;
  std::vector<Operator> operators;
  std::vector<Thread> threads;
  std::vector<Cost> costs;
  std::vector<ModuleCalls> module_calls;
  std::vector<Step> steps;
  std::vector<EventBatch> events;
  std::vector<NamedRange> ranges;
  std::vector<Drop> drops;
  bool has_peak_blocks = false;
  std::vector<PeakBlocks> peak_blocks;
  Totals totals;
  Memory memory;
};

// A whole run, read back. Tables are indexed by id; entry 0 of frames and nodes is the root.
struct Run {
  RunInfo info;
  std::vector<File> files;
  std::map<std::string, std::string> sources;  // text by hash
  std::vector<Frame> frames;
  std::vector<Node> nodes;
  std::vector<Module> modules;
  std::vector<Operator> operators;
  std::vector<Thread> threads;
  std::vector<Cost> costs;
  std::vector<ModuleCalls> module_calls;
  std::vector<Step> steps;
  std::vector<EventBatch> events;
  std::vector<NamedRange> ranges;
  std::vector<Drop> drops;
  std::vector<PeakBlocks> peak_blocks;
  Totals totals;
  Memory memory;
};

}  // namespace sightline::model
