#include "core/profile/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/profile/compare/compared_runs.h"

namespace sightline::profile {
namespace {

using testing::HasSubstr;

Comparison compare_sketches(const RunSketch& before, const RunSketch& after) {
  return profile::compare(run_of(before), run_of(after));
}

// The only change of a line whose text, after or before, has that part.
const LineChange& line_with(const Comparison& comparison, const std::string& part) {
  const LineChange* found = nullptr;
  for (const LineChange& line : comparison.lines) {
    if (line.row().source.value_or("").find(part) == std::string::npos) continue;
    EXPECT_EQ(found, nullptr) << part << " is in two rows";
    found = &line;
  }
  EXPECT_NE(found, nullptr) << part << " is in no row";
  static const LineChange kMissing;
  return found == nullptr ? kMissing : *found;
}

void expect_sums(const Comparison& comparison) {
  double sum_ns = comparison.unattributed.difference();
  for (const LineChange& line : comparison.lines) sum_ns += line.self.difference();
  EXPECT_NEAR(sum_ns, comparison.step.difference(), 1e-3);
}

TEST(Comparison, OfARunWithItselfFindsNothing) {
  const Comparison comparison = compare_sketches(RunSketch{}, RunSketch{});
  EXPECT_TRUE(comparison.timed);
  EXPECT_TRUE(comparison.notes.empty());
  EXPECT_TRUE(comparison.differs.empty());
  for (const Change* change :
       {&comparison.step, &comparison.median, &comparison.p95, &comparison.samples_per_second,
        &comparison.peak_bytes, &comparison.process_peak_bytes, &comparison.unattributed}) {
    EXPECT_TRUE(change->known());
    EXPECT_EQ(change->verdict, Verdict::Same);
    EXPECT_EQ(change->difference(), 0.0);
  }
  for (const Change& change : comparison.phases) EXPECT_EQ(change.verdict, Verdict::Same);
  for (const Change& change : comparison.at_peak) EXPECT_EQ(change.verdict, Verdict::Same);
  ASSERT_FALSE(comparison.lines.empty());
  for (const LineChange& line : comparison.lines) {
    EXPECT_EQ(line.self.verdict, Verdict::Same);
    EXPECT_EQ(line.peak_bytes.verdict, Verdict::Same);
    EXPECT_FALSE(line.rewritten() || line.moved());
  }
  ASSERT_EQ(comparison.modules.size(), 3U);
  for (const ModuleChange& module : comparison.modules) {
    EXPECT_EQ(module.total.verdict, Verdict::Same);
  }
}

TEST(Comparison, NamesTheLineThatBecameSlower) {
  RunSketch after;
  after.net_us["features("] = 7200;
  const Comparison comparison = compare_sketches(RunSketch{}, after);
  EXPECT_EQ(comparison.step.verdict, Verdict::Worse);
  EXPECT_NEAR(comparison.step.difference(), 1.2e6, 1.0);
  EXPECT_NEAR(*comparison.step.percent(), 100.0 * 1200 / 10050, 1e-9);
  const LineChange& first = comparison.lines.front();
  EXPECT_EQ(first.row().line, 3U);
  EXPECT_EQ(first.self.verdict, Verdict::Worse);
  EXPECT_NEAR(*first.self.percent(), 20.0, 1e-9);
  EXPECT_EQ(line_with(comparison, "head(").self.verdict, Verdict::Same);
  EXPECT_EQ(comparison.phases[static_cast<std::size_t>(model::Phase::Forward)].verdict,
            Verdict::Worse);
  EXPECT_EQ(comparison.phases[static_cast<std::size_t>(model::Phase::Data)].verdict, Verdict::Same);
  EXPECT_EQ(comparison.samples_per_second.verdict, Verdict::Worse);
  EXPECT_LT(comparison.samples_per_second.difference(), 0.0);
  EXPECT_EQ(comparison.modules[0].total.verdict, Verdict::Worse);
  expect_sums(comparison);

  const Comparison back = compare_sketches(after, RunSketch{});
  EXPECT_EQ(back.step.verdict, Verdict::Better);
  EXPECT_EQ(back.lines.front().self.verdict, Verdict::Better);
  EXPECT_EQ(back.samples_per_second.verdict, Verdict::Better);
}

TEST(Comparison, SuspectsTheMachineWhereAllLinesChangedAlike) {
  RunSketch after;
  for (auto* lines : {&after.train_us, &after.net_us}) {
    for (auto& [part, us] : *lines) us = us * 3 / 2;
  }
  const Comparison comparison = compare_sketches(RunSketch{}, after);
  ASSERT_EQ(comparison.notes.size(), 1U);
  EXPECT_THAT(comparison.notes[0], HasSubstr("the machine was busier"));
  after = {};
  after.net_us["features("] = 12000;
  EXPECT_TRUE(compare_sketches(RunSketch{}, after).notes.empty()) << "one line is not all";
}

TEST(Comparison, CallsItTheSameWhereTheNoiseIsLarger) {
  RunSketch before, after;
  before.noise_us = after.noise_us = 6000;
  after.net_us["features("] = 7200;
  const Comparison comparison = compare_sketches(before, after);
  EXPECT_GT(comparison.step.noise, comparison.step.difference());
  EXPECT_EQ(comparison.step.verdict, Verdict::Same);
  EXPECT_EQ(comparison.lines.front().self.verdict, Verdict::Same);
  EXPECT_NEAR(comparison.lines.front().self.difference(), 1.2e6, 1.0) << "shown all the same";
}

TEST(Comparison, IsNotDecidedByAHiccup) {
  const model::Run before = run_of({});
  model::Run after = run_of({});
  const std::uint64_t hiccup_ns = 400'000'000;
  after.steps[20].wall_ns += hiccup_ns;
  after.steps[20].kind_ns[0] += hiccup_ns;
  after.totals.wall_ns += hiccup_ns;
  after.totals.kind_ns[0] += hiccup_ns;
  after.costs.back().self_ns += hiccup_ns;
  const Comparison comparison = profile::compare(before, after);
  EXPECT_NEAR(comparison.step.difference(), 1e7, 1.0);
  EXPECT_EQ(comparison.step.verdict, Verdict::Same);
  EXPECT_EQ(comparison.median.verdict, Verdict::Same);
}

TEST(Comparison, CountsNoDifferenceBelowTheFloors) {
  RunSketch before, after;
  before.noise_us = after.noise_us = 0;
  after.net_us["features("] += 50;     // less than 1 % of the line
  after.train_us["loader:"] += 9;      // 3 % of the line, but less than 0.1 % of the step
  after.train_us["criterion("] += 11;  // more than both
  const Comparison comparison = compare_sketches(before, after);
  EXPECT_EQ(line_with(comparison, "features(").self.verdict, Verdict::Same);
  EXPECT_EQ(line_with(comparison, "loader:").self.verdict, Verdict::Same);
  EXPECT_EQ(line_with(comparison, "criterion(").self.verdict, Verdict::Worse);
  EXPECT_EQ(comparison.step.verdict, Verdict::Same) << "0.7 % of the step";
}

TEST(Comparison, FollowsLinesThatMovedDown) {
  RunSketch after;
  after.train_text = "# one\n# two\n# three\n" + after.train_text;
  after.train_us["criterion("] = 2800;
  const Comparison comparison = compare_sketches(RunSketch{}, after);
  const LineChange& line = comparison.lines.front();
  EXPECT_EQ(line.before->line, 6U);
  EXPECT_EQ(line.after->line, 9U);
  EXPECT_TRUE(line.moved());
  EXPECT_FALSE(line.rewritten());
  EXPECT_EQ(line.self.verdict, Verdict::Worse);
  for (const LineChange& each : comparison.lines) EXPECT_TRUE(each.before && each.after);
  expect_sums(comparison);
}

TEST(Comparison, KnowsALineWithARenamedVariable) {
  RunSketch after;
  after.net_text =
      "class Net(nn.Module):\n"
      "    def forward(self, x):\n"
      "        pixels = self.features(x)\n"
      "        return self.head(pixels.flatten(1))\n";
  const Comparison comparison = compare_sketches(RunSketch{}, after);
  const LineChange& line = line_with(comparison, "features(");
  ASSERT_TRUE(line.before && line.after);
  EXPECT_TRUE(line.rewritten());
  EXPECT_EQ(line.self.verdict, Verdict::Same);
}

TEST(Comparison, KnowsAFileThatMovedAndAFunctionThatWasRenamed) {
  RunSketch after;
  after.net_path = "models/network.py";
  after.net_text = "# moved\n" + after.net_text;
  after.net_function = "Network.forward";
  const Comparison comparison = compare_sketches(RunSketch{}, after);
  const LineChange& line = line_with(comparison, "head(");
  ASSERT_TRUE(line.before && line.after);
  EXPECT_EQ(line.before->file, "net.py");
  EXPECT_EQ(line.after->file, "models/network.py");
  EXPECT_EQ(line.after->line, 5U);
  EXPECT_EQ(line.self.verdict, Verdict::Same);
}

TEST(Comparison, MatchesByPlaceWhereNoSourceIsKept) {
  model::Run before = run_of({});
  model::Run after = run_of({});
  for (model::Run* run : {&before, &after}) {
    run->sources.clear();
    for (model::File& file : run->files) file.source_hash.clear();
  }
  for (model::Frame& frame : after.frames) {
    if (frame.line == 4 && frame.function == "Net.forward") frame.function = "Net.other";
  }
  std::size_t added = 0, removed = 0, matched = 0;
  for (const LineChange& line : profile::compare(before, after).lines) {
    added += line.self.verdict == Verdict::Added ? 1 : 0;
    removed += line.self.verdict == Verdict::Removed ? 1 : 0;
    matched += line.before && line.after ? 1 : 0;
  }
  EXPECT_EQ(added, 1U);
  EXPECT_EQ(removed, 1U);
  EXPECT_EQ(matched, 5U);
}

TEST(Comparison, TellsWhatWasAddedAndWhatWasRemoved) {
  RunSketch before, after;
  before.train_text += "    log_histograms(model)\n";
  before.train_us["log_histograms("] = 900;
  after.train_text += "    ema.update()\n";
  after.train_us["ema.update("] = 500;
  after.net_us["features("] = 6000;
  const Comparison comparison = compare_sketches(before, after);
  const LineChange& gone = line_with(comparison, "log_histograms");
  EXPECT_EQ(gone.self.verdict, Verdict::Removed);
  EXPECT_NEAR(gone.self.difference(), -9e5, 1.0);
  EXPECT_FALSE(gone.self.after);
  const LineChange& fresh = line_with(comparison, "ema.update");
  EXPECT_EQ(fresh.self.verdict, Verdict::Added);
  EXPECT_NEAR(fresh.self.difference(), 5e5, 1.0);
  expect_sums(comparison);
}

TEST(Comparison, TellsModulesOfAnotherPathOrTypeApart) {
  model::Run after = run_of({});
  for (model::Module& module : after.modules) {
    if (module.path == "head") module.type = "QuantizedLinear";
  }
  std::map<std::string, Verdict> verdicts;
  for (const ModuleChange& module : profile::compare(run_of({}), after).modules) {
    verdicts[module.path + ":" + module.type] = module.total.verdict;
  }
  EXPECT_EQ(verdicts["head:Linear"], Verdict::Removed);
  EXPECT_EQ(verdicts["head:QuantizedLinear"], Verdict::Added);
  EXPECT_EQ(verdicts[":Net"], Verdict::Same);
}

TEST(Comparison, ComparesSamplesWhereBatchesDiffer) {
  RunSketch after;
  after.batch_size = 64;
  after.net_us["features("] = 9000;
  const Comparison comparison = compare_sketches(RunSketch{}, after);
  ASSERT_EQ(comparison.differs.size(), 1U);
  EXPECT_EQ(comparison.differs[0].what, "batch size");
  EXPECT_EQ(comparison.differs[0].before, "32");
  EXPECT_EQ(comparison.differs[0].after, "64");
  EXPECT_EQ(comparison.step.verdict, Verdict::Worse);
  EXPECT_EQ(comparison.sample.verdict, Verdict::Better);
  EXPECT_EQ(comparison.samples_per_second.verdict, Verdict::Better);
}

TEST(Comparison, SaysFirstWhatElseDiffers) {
  model::Run after = run_of({});
  after.info.device = "cuda";
  after.info.threads = 16;
  after.info.framework_version = "2.14.0";
  after.info.host = "other";
  std::vector<std::string> what;
  for (const Difference& difference : profile::compare(run_of({}), after).differs) {
    what.push_back(difference.what);
  }
  EXPECT_THAT(what, testing::ElementsAre("device", "threads", "framework version", "host"));
}

TEST(Comparison, GivesNoTimesWithoutACountedStep) {
  model::Run after = run_of({});
  after.totals.counted_steps = 0;
  after.totals.steps = 2;
  after.steps.clear();
  const Comparison comparison = profile::compare(run_of({}), after);
  EXPECT_FALSE(comparison.timed);
  ASSERT_FALSE(comparison.notes.empty());
  EXPECT_THAT(comparison.notes[0], HasSubstr("B has no step that counts"));
  EXPECT_FALSE(comparison.step.measured());
  EXPECT_FALSE(slower_by_more_than(comparison, 0.0));
  EXPECT_TRUE(comparison.peak_bytes.known());
  EXPECT_FALSE(profile::compare(model::Run(), model::Run()).timed);
}

TEST(Comparison, DoesNotCompareStepsWithAWholeRecording) {
  model::Run after = run_of({});
  after.totals.whole_recording = true;
  const Comparison comparison = profile::compare(run_of({}), after);
  EXPECT_FALSE(comparison.timed);
  EXPECT_THAT(comparison.notes[0], HasSubstr("In B nothing marked a step"));
}

TEST(Comparison, SaysThatFewStepsProveLittle) {
  model::Run after = run_of({});
  after.steps.resize(2);
  const Comparison comparison = profile::compare(run_of({}), after);
  ASSERT_EQ(comparison.notes.size(), 1U);
  EXPECT_THAT(comparison.notes[0], HasSubstr("B has fewer than 5 steps"));
  EXPECT_GT(comparison.step.noise, 0.19 * *comparison.step.before);
}

TEST(Comparison, CountsBytesFromAThousandthOn) {
  RunSketch after;
  after.activation_bytes += after.activation_bytes / 50;
  const Comparison comparison = compare_sketches(RunSketch{}, after);
  const Change& activations =
      comparison.at_peak[static_cast<std::size_t>(model::Category::Activation)];
  EXPECT_EQ(activations.verdict, Verdict::Worse);
  EXPECT_EQ(comparison.peak_bytes.verdict, Verdict::Worse);
  EXPECT_EQ(line_with(comparison, "head(").peak_bytes.verdict, Verdict::Worse);
  EXPECT_EQ(comparison.at_peak[0].verdict, Verdict::Same) << "parameters";
  EXPECT_TRUE(peak_higher_by_more_than(comparison, 1.0));
  EXPECT_FALSE(peak_higher_by_more_than(comparison, 3.0));
  after.activation_bytes = RunSketch{}.activation_bytes + 100;
  EXPECT_EQ(compare_sketches(RunSketch{}, after).peak_bytes.verdict, Verdict::Same);
}

TEST(Comparison, ChecksALimitBeyondTheNoise) {
  RunSketch before, after;
  after.net_us["features("] = 7200;  // the step is 11.9 % slower
  const Comparison comparison = compare_sketches(before, after);
  const double noise = *comparison.step.noise_percent();
  ASSERT_GT(noise, 0.0);
  EXPECT_TRUE(slower_by_more_than(comparison, *comparison.step.percent() - noise - 0.1));
  EXPECT_FALSE(slower_by_more_than(comparison, *comparison.step.percent() - noise + 0.1));
  EXPECT_FALSE(slower_by_more_than(compare_sketches(after, before), 0.0)) << "faster is not slower";
}

// A run where one project line holds nearly all, through library lines beneath it.
model::Run run_through_a_library(std::uint64_t inner_us, std::uint64_t own_us) {
  RunBuilder builder;
  const auto script = builder.file("train.py", model::FileRole::Project, "a\ntrainer.train()\nb\n");
  const auto library = builder.file("lib/trainer.py", model::FileRole::Library);
  const auto line = builder.node(0, script, 2, "<module>");
  builder.cost(builder.node(line, library, 77, "train"), model::CostKind::Forward, inner_us * 1000);
  builder.cost(line, model::CostKind::Python, 1000);
  builder.cost(builder.node(0, script, 3, "<module>"), model::CostKind::Forward, own_us * 1000);
  return builder.run();
}

TEST(Comparison, ShowsLibraryLinesOnlyWhereBothRunsDo) {
  const Comparison both =
      profile::compare(run_through_a_library(900, 10), run_through_a_library(1800, 10));
  EXPECT_EQ(both.lines.front().row().file, "lib/trainer.py");
  const Comparison one =
      profile::compare(run_through_a_library(900, 10), run_through_a_library(900, 900));
  for (const LineChange& line : one.lines) {
    EXPECT_EQ(line.row().file, "train.py");
    EXPECT_TRUE(line.before && line.after);
  }
  expect_sums(one);
}

}  // namespace
}  // namespace sightline::profile
