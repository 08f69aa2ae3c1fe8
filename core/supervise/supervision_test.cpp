#include "core/supervise/supervision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/base/test_folder.h"
#include "core/store/run_writer.h"
#include "core/store/training_reader.h"
#include "core/supervise/rules/rule_names.h"

namespace sightline::supervise {
namespace {

auto words_of(const Verdict& verdict) {
  std::string evidence;  // as text, in which not-a-number equals itself
  for (const auto& [name, value] : verdict.evidence) {
    evidence += name + "=" + std::to_string(value) + " ";
  }
  return std::tuple(verdict.rule, verdict.step, verdict.module, verdict.tensor, verdict.topic,
                    verdict.origin.line, evidence, verdict.cause, verdict.advice);
}

// A training whose gradients vanish in one layer and explode in another, whose loss stays where it
// is and at last is none, told in parts that end within steps.
std::vector<Verdict> supervise_faults(store::RunWriter& writer) {
  const auto log = std::make_shared<record::TrainingLog>();
  Supervision supervision(log);
  std::vector<Verdict> live;
  const auto hear = [&](std::vector<Verdict> verdicts) {
    live.insert(live.end(), verdicts.begin(), verdicts.end());
  };
  const auto write = [&](bool is_final) {
    model::Delta delta;
    delta.training = log->take(is_final);
    EXPECT_TRUE(writer.write(delta).ok());
  };
  for (std::uint64_t step = 0; step < 60; ++step) {
    const double small = step < 30 ? 1e-3 : 1e-9;
    supervision.add({"a", "weight", "gradients", "abs_mean"}, {1, "aten::mm", "m.py", 3}, step, 0,
                    small);
    if (step % 7 == 3) write(false);
    supervision.add({"b", "weight", "gradients", "l2"}, {2, "aten::mm", "m.py", 4}, step, 0,
                    step == 40 ? 1e6 : 1.0);
    supervision.add({"", "", "loss", ""}, {}, step, 0, step < 55 ? 2.0 : std::nan(""));
    if (step % 2 == 0) hear(supervision.end_step(step));
  }
  hear(supervision.end());
  write(true);
  return live;
}

TEST(Supervision, ReplayedFromTheFileItGivesTheVerdictsThatItGaveLive) {
  const TestFolder folder;
  const auto path = folder / "run.sightline";
  auto writer = store::RunWriter::create(path, {});
  ASSERT_TRUE(writer.ok());
  const std::vector<Verdict> live = supervise_faults(*writer.value());
  ASSERT_TRUE(writer.value()->finish().ok());
  auto reader = store::TrainingReader::open(path);
  ASSERT_TRUE(reader.ok());
  const auto series = reader->whole_series();
  ASSERT_TRUE(series.ok());
  const std::vector<Verdict> replayed = replay(series.value());
  const auto stored = reader->verdicts();
  ASSERT_TRUE(stored.ok());
  ASSERT_GE(live.size(), 4U);
  ASSERT_EQ(replayed.size(), live.size());
  ASSERT_EQ(stored.value().size(), live.size());
  for (std::size_t i = 0; i < live.size(); ++i) {
    EXPECT_TRUE(words_of(replayed[i]) == words_of(live[i])) << live[i].rule;
    EXPECT_EQ(stored.value()[i].rule, live[i].rule);
    EXPECT_EQ(stored.value()[i].step, live[i].step);
    EXPECT_EQ(stored.value()[i].module, live[i].module);
    EXPECT_EQ(stored.value()[i].cause, live[i].cause);
  }
  std::set<std::string> rules;
  for (const Verdict& verdict : live) rules.insert(verdict.rule);
  EXPECT_TRUE(rules.contains("vanishing-gradient"));
  EXPECT_TRUE(rules.contains("exploding-gradient"));
  EXPECT_TRUE(rules.contains("loss-not-decreasing"));
  EXPECT_TRUE(rules.contains("non-finite"));
  for (const std::string& rule : rules) {
    EXPECT_NE(std::find(kRuleNames.begin(), kRuleNames.end(), rule), kRuleNames.end()) << rule;
  }
}

TEST(Supervision, AStepIsOverWhenFiguresComeOfTheNextButOne) {
  const auto log = std::make_shared<record::TrainingLog>();
  Supervision supervision(log);
  const model::SeriesKey loss{"", "", "loss", ""};
  EXPECT_TRUE(supervision.add(loss, {}, 0, 0, 1));
  EXPECT_TRUE(supervision.add(loss, {}, 1, 0, 1));
  EXPECT_TRUE(supervision.add(loss, {}, 0, 0, 2));
  EXPECT_TRUE(supervision.add(loss, {}, 2, 0, 1));
  EXPECT_FALSE(supervision.add(loss, {}, 0, 0, 3));
  const model::TrainingDelta delta = log->take(false);
  ASSERT_EQ(delta.points.size(), 1U);
  ASSERT_EQ(delta.points[0].points.size(), 1U);
  EXPECT_EQ(delta.points[0].points[0].value, 2);
}

}  // namespace
}  // namespace sightline::supervise
