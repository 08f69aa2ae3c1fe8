// A run: everything that is recorded, as the run file holds it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/model/block.h"
#include "core/model/cost.h"
#include "core/model/event.h"
#include "core/model/frame.h"
#include "core/model/measurement.h"
#include "core/model/node.h"
#include "core/model/step.h"
#include "core/model/training.h"

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
  DeviceMemory device_memory;
};

struct Source {
  std::string hash;
  std::string text;
};

// What a whole run and a part of it have in common.
struct Tables {
  std::vector<File> files;
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

// What changed since the last delta. A row replaces an earlier one of the same key; only events
// have none. `totals` and `memory` are in every delta, and hold what is known by then of the whole
// run. `peak_blocks` replace all earlier ones if `has_peak_blocks`, else they do not count. Steps
// whose index totals.step_stride does not divide are to be removed.
struct Delta : Tables {
  std::vector<Source> sources;
  bool has_peak_blocks = false;
  TrainingDelta training;  // rows that no later delta replaces
};

// A whole run, read back. Tables are indexed by id; entry 0 of frames and nodes is the root. A run
// of `sightline measure` has a measurement, and nothing in its other tables.
struct Run : Tables {
  RunInfo info;
  std::optional<Measurement> measurement;
  std::vector<BatchSample> batch_samples;
  std::map<std::string, std::string> sources;  // text by hash
};

}  // namespace sightline::model
