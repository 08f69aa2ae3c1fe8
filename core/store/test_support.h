// What the tests of this room share: folders that go away, made-up runs, runs as text.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "core/base/file_text.h"
#include "core/base/test_folder.h"
#include "core/model/run.h"
#include "core/store/names.h"
#include "core/store/place.h"
#include "core/store/run_reader.h"
#include "core/store/run_writer.h"
#include "core/store/sqlite.h"

namespace sightline::store::test {

namespace fs = std::filesystem;

// A file system of its own, in a mount namespace that ends with the test program.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& options) {
    static const bool kIsolated = ::unshare(CLONE_NEWNS) == 0 &&
                                  ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    mounted_ = kIsolated && ::mount("tmpfs", path().c_str(), "tmpfs", 0, options.c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(path().c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  bool make_read_only() const {
    return ::mount("tmpfs", path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }
  fs::path operator/(const std::string& name) const { return folder_ / name; }
  const fs::path& path() const { return folder_.path(); }

 private:
  TestFolder folder_;
  bool mounted_ = false;
};

inline void spill(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline model::RunInfo sample_info() {
  model::RunInfo info;
  info.version = "1.2.3";
  info.command = "train.py --lr 0.1";
  info.started = "2026-01-02T03:04:05+01:00";
  info.host = "box";
  info.device = "cpu";
  info.framework = "torch";
  info.framework_version = "2.13.0";
  info.python = "3.11.2";
  info.git_commit = "0123abc";
  info.root = "/home/me/project";
  info.threads = 8;
  info.rank = 1;
  info.world_size = 4;
  return info;
}

// Something in every table.
inline model::Delta sample_delta() {
  model::Delta d;
  d.files = {{1, "model.py", "/home/me/project/model.py", model::FileRole::Project, "h1"},
             {2, "torch/nn/linear.py", "/lib/torch/nn/linear.py", model::FileRole::Library, ""},
             {3, "lib/x.py", "/lib/x.py", model::FileRole::Included, ""}};
  d.sources = {{"h1", "import torch\n# \xc3\xa4\n" + std::string("nul\0 inside", 11)}};
  d.frames = {{1, 1, "forward", 12}, {2, 2, "Linear.forward", 116}, {3, 1, "<module>", 40}};
  d.modules = {{1, 0, "", "Net", 0, 0}, {2, 1, "fc", "Linear", 4000, 8}};
  d.nodes = {{1, 0, 3, 0}, {2, 1, 1, 1}, {3, 2, 2, 2}};
  d.operators = {{1, "aten::addmm"}, {2, "aten::t"}};
  d.threads = {{1, "MainThread", true}, {2, "autograd", false}};
  d.costs = {{3, 1, model::CostKind::Forward, 1, 5'000'000, 10, 9, 4096, 3},
             {3, 1, model::CostKind::Backward, 1, 7'000'000, 20, 0, 0, 0},
             {1, 0, model::CostKind::Python, 1, 1'000'000, 0, 0, 0, 0}};
  d.module_calls = {{2, 1, 10}, {3, 1, 10}};
  for (std::uint64_t i = 0; i < 6; ++i) {
    model::Step step;
    step.index = i;
    step.role = i < 3    ? model::StepRole::Warmup
                : i == 4 ? model::StepRole::Unobserved
                         : model::StepRole::Counted;
    step.start_ns = i * 1000;
    step.wall_ns = 900 + i;
    step.evaluation_ns = i;
    for (std::size_t k = 0; k < model::kCostKinds; ++k) step.kind_ns[k] = 10 * k + i;
    step.operators = 7;
    step.allocated_bytes = 1 << 20;
    step.peak_bytes = 1 << 21;
    d.steps.push_back(step);
  }
  d.events = {{3,
               1,
               {{model::EventType::Operator, model::CostKind::Forward, 0, 1, 3, 100, 5000},
                {model::EventType::Allocate, model::CostKind::Forward, 0, 0, 3, 150, 4096},
                {model::EventType::Operator, model::CostKind::Forward, 1, 2, 3, 200, 10},
                {model::EventType::Free, model::CostKind::Backward, 0, 0, 3, 9000, 4096}}},
              {3, 2, {}}};
  d.ranges = {{"augment", 3, 12345}};
  d.drops = {{"nodes", 5}};
  d.has_peak_blocks = true;
  d.peak_blocks = {{3, model::Category::Parameter, 4000, 2}, {0, model::Category::Other, 12, 1}};
  d.totals.steps = 6;
  d.totals.whole_recording = true;
  d.totals.counted_steps = 2;
  d.totals.wall_ns = 13'000'000;
  d.totals.kind_ns = {5'000'000, 7'000'000, 0, 0, 0, 0, 0, 1'000'000};
  d.totals.evaluation_ns = 15;
  d.totals.overhead_percent = 4.25;
  d.totals.overhead_pairs = 3;
  d.totals.batch_size = 32;
  d.memory = {true, 4012, 4000, 3, 1 << 30, 1ULL << 34};
  return d;
}

// A run as text, so that two can be compared and a difference read.
inline std::string describe(const model::Run& run) {
  std::ostringstream out;
  const auto kinds = [&](const auto& kind_ns) {
    for (const std::uint64_t ns : kind_ns) out << ' ' << ns;
  };
  const model::RunInfo& i = run.info;
  out << "info " << i.version << '|' << i.command << '|' << i.started << '|' << i.host << '|'
      << i.device << '|' << i.framework << '|' << i.framework_version << '|' << i.python << '|'
      << i.git_commit << '|' << i.root << '|' << i.threads << '|' << i.rank << '|' << i.world_size
      << '|' << i.finished << '|' << i.problem << '\n';
  for (const auto& f : run.files) {
    out << "file " << f.id << ' ' << f.path << ' ' << f.absolute_path << ' ' << name_of(f.role)
        << ' ' << f.source_hash << '\n';
  }
  for (const auto& [hash, text] : run.sources) out << "source " << hash << ' ' << text << '\n';
  for (const auto& f : run.frames) {
    out << "frame " << f.id << ' ' << f.file << ' ' << f.function << ' ' << f.line << '\n';
  }
  for (const auto& n : run.nodes) {
    out << "node " << n.id << ' ' << n.parent << ' ' << n.frame << ' ' << n.module << '\n';
  }
  for (const auto& m : run.modules) {
    out << "module " << m.id << ' ' << m.parent << ' ' << m.path << ' ' << m.type << ' '
        << m.parameter_bytes << ' ' << m.buffer_bytes << ' ' << m.gradient_bytes << '\n';
  }
  for (const auto& o : run.operators) out << "operator " << o.id << ' ' << o.name << '\n';
  for (const auto& t : run.threads) {
    out << "thread " << t.id << ' ' << t.name << ' ' << t.training << '\n';
  }
  std::multiset<std::string> costs;
  for (const auto& c : run.costs) {
    std::ostringstream row;
    row << "cost " << c.node << ' ' << c.op << ' ' << name_of(c.kind) << ' ' << c.thread << ' '
        << c.self_ns << ' ' << c.calls << ' ' << c.python_calls << ' ' << c.allocated_bytes << ' '
        << c.allocations << '\n';
    costs.insert(row.str());
  }
  for (const std::string& cost : costs) out << cost;
  for (const auto& m : run.module_calls) {
    out << "module_calls " << m.node << ' ' << m.thread << ' ' << m.calls << '\n';
  }
  for (const auto& s : run.steps) {
    out << "step " << s.index << ' ' << name_of(s.role) << ' ' << s.start_ns << ' ' << s.wall_ns
        << ' ' << s.evaluation_ns;
    kinds(s.kind_ns);
    out << ' ' << s.operators << ' ' << s.allocated_bytes << ' ' << s.peak_bytes << '\n';
  }
  for (const auto& b : run.events) {
    out << "events " << b.step << ' ' << b.thread << '\n';
    for (const auto& e : b.events) {
      out << "  " << static_cast<int>(e.type) << ' ' << name_of(e.kind) << ' ' << e.depth << ' '
          << e.op << ' ' << e.node << ' ' << e.start_ns << ' ' << e.value << '\n';
    }
  }
  for (const auto& r : run.ranges) {
    out << "range " << r.name << ' ' << r.calls << ' ' << r.total_ns << '\n';
  }
  for (const auto& d : run.drops) out << "drop " << d.what << ' ' << d.count << '\n';
  for (const auto& b : run.peak_blocks) {
    out << "peak " << b.node << ' ' << name_of(b.category) << ' ' << b.bytes << ' ' << b.count
        << '\n';
  }
  const model::Totals& t = run.totals;
  out << "totals " << t.steps << ' ' << t.whole_recording << ' ' << t.counted_steps << ' '
      << t.wall_ns;
  kinds(t.kind_ns);
  out << ' ' << t.evaluation_ns << ' ' << t.overhead_percent << ' ' << t.overhead_pairs << ' '
      << t.batch_size << ' ' << t.step_stride << '\n';
  const model::Memory& m = run.memory;
  out << "memory " << m.known << ' ' << m.peak_bytes << ' ' << m.boundary_peak_bytes << ' '
      << m.peak_step << ' ' << m.process_peak_bytes << ' ' << m.capacity_bytes << '\n';
  return out.str();
}

// What reading back `delta`, written alone, should give.
inline model::Run run_of(const model::Delta& delta, const model::RunInfo& info) {
  model::Run run;
  run.info = info;
  const auto with_root = [](const auto& rows) {
    auto table = rows;
    table.insert(table.begin(), typename std::decay_t<decltype(rows)>::value_type{});
    return table;
  };
  run.files = with_root(delta.files);
  for (const model::Source& source : delta.sources) run.sources[source.hash] = source.text;
  run.frames = with_root(delta.frames);
  run.nodes = with_root(delta.nodes);
  run.modules = with_root(delta.modules);
  run.operators = with_root(delta.operators);
  run.threads = with_root(delta.threads);
  run.costs = delta.costs;
  run.module_calls = delta.module_calls;
  run.steps = delta.steps;
  run.events = delta.events;
  run.ranges = delta.ranges;
  run.drops = delta.drops;
  run.peak_blocks = delta.peak_blocks;
  run.totals = delta.totals;
  run.memory = delta.memory;
  return run;
}

inline std::unique_ptr<RunWriter> new_writer(const fs::path& path,
                                             const WriterOptions& options = {}) {
  auto writer = RunWriter::create(path, sample_info(), options);
  EXPECT_TRUE(writer.ok()) << writer.error().message;
  return std::move(writer).value();
}

// A finished run file with the sample in it.
inline void make_run(const fs::path& path) {
  auto writer = new_writer(path);
  ASSERT_TRUE(writer->write(sample_delta()).ok());
  ASSERT_TRUE(writer->finish().ok());
}

// Changes a run file as a vandal would.
inline void tamper(const fs::path& path, const char* sql) {
  auto database = Database::open(path.string(), SQLITE_OPEN_READWRITE, path.string());
  ASSERT_TRUE(database.ok());
  ASSERT_TRUE(database.value().execute(sql)) << database.value().take_error(sql).message;
}

// Each takes out of a run what the format before did not have.
inline constexpr char kFrom4ToFormat3Sql[] =
    "DROP TABLE batch_failures; DROP VIEW weight_entries;"
    "CREATE VIEW weight_entries AS SELECT id, parameter_bytes AS size_bytes FROM modules;"
    "ALTER TABLE modules DROP COLUMN gradient_bytes;"
    "ALTER TABLE measured_layers DROP COLUMN training_peak_bytes;"
    "DROP TABLE measured_operators; DROP TABLE measured_operator_work; PRAGMA user_version = 3";
inline constexpr char kFrom3ToFormat2Sql[] =
    "DROP TABLE measurement; DROP TABLE measured_layers; DROP TABLE measured_work;"
    "DROP TABLE measured_times; DROP TABLE uncounted_calls;"
    "DROP VIEW series_curves; DROP TABLE series; DROP TABLE series_chunks; DROP TABLE histograms;"
    "DROP TABLE training_steps; DROP TABLE epochs; DROP TABLE verdicts;"
    "DROP TABLE verdict_evidence; PRAGMA user_version = 2";
inline constexpr char kFrom2ToFormat1Sql[] =
    "DROP TABLE batch_samples; DROP VIEW node_operations; DROP VIEW run_time_entries;"
    "DROP VIEW weight_entries; DROP VIEW activation_entries; DROP VIEW entry_types;"
    "DROP VIEW stack_correlation; DROP VIEW stack_frames; DROP VIEW misc_sizes;"
    "PRAGMA user_version = 1";

inline model::Run must_read(const fs::path& path, const ReadOptions& options = {}) {
  auto run = read_run(path, options);
  EXPECT_TRUE(run.ok()) << run.error().message;
  return run ? std::move(run).value() : model::Run{};
}

}  // namespace sightline::store::test
