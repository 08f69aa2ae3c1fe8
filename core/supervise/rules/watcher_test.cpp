#include "core/supervise/rules/watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kSteps = 100;

model::SeriesKey key_of(const std::string& topic, const std::string& statistic = "",
                        const std::string& module = "layer", const std::string& tensor = "weight") {
  return statistic.empty() ? model::SeriesKey{"", "", topic, ""}
                           : model::SeriesKey{module, tensor, topic, statistic};
}

// A training as a set of series; every test judges it live and replayed.
class Training {
 public:
  Training& series(const model::SeriesKey& key, const std::function<double(std::uint64_t)>& value,
                   std::uint64_t steps = kSteps, const model::SeriesOrigin& origin = {}) {
    model::Series made{key, origin, {}};
    for (std::uint64_t step = 0; step < steps; ++step) made.points.push_back({step, value(step)});
    all_.push_back(std::move(made));
    return *this;
  }

  std::vector<Verdict> verdicts(const Thresholds& thresholds = {}) const {
    const std::vector<Verdict> replayed = replay(all_, thresholds);
    expect_same(replayed, live(thresholds));
    return replayed;
  }

 private:
  // As threads might tell it: in another order in every step.
  std::vector<Verdict> live(const Thresholds& thresholds) const {
    Watcher watcher(thresholds);
    std::mt19937_64 random(1);
    std::vector<std::size_t> order(all_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<Verdict> said;
    for (std::uint64_t step = 0; step < kSteps; ++step) {
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t i : order) {
        for (const model::SeriesPoint& point : all_[i].points) {
          if (point.step != step) continue;
          EXPECT_TRUE(
              watcher.add(watcher.add_series(all_[i].key, all_[i].origin), step, point.value));
        }
      }
      for (Verdict& verdict : watcher.end_step(step)) said.push_back(std::move(verdict));
    }
    return said;
  }

  static void expect_same(const std::vector<Verdict>& a, const std::vector<Verdict>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].rule, b[i].rule);
      EXPECT_EQ(a[i].step, b[i].step);
      EXPECT_EQ(a[i].module, b[i].module);
      EXPECT_EQ(a[i].origin.line, b[i].origin.line);
      // As text: not a number is not equal to itself.
      EXPECT_EQ(testing::PrintToString(a[i].evidence), testing::PrintToString(b[i].evidence));
    }
  }

  std::vector<model::Series> all_;
};

double evidence(const Verdict& verdict, const std::string& name) {
  for (const auto& [known, value] : verdict.evidence) {
    if (known == name) return value;
  }
  ADD_FAILURE() << verdict.rule << " has no evidence named " << name;
  return NAN;
}

auto always(double value) {
  return [value](std::uint64_t) { return value; };
}

auto from(std::uint64_t first, double before, double after) {
  return [=](std::uint64_t step) { return step < first ? before : after; };
}

TEST(Watcher, HasNothingToSayOfAHealthyTraining) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const auto noisy = [&](double mean) {
    return [&normal, &random, mean](std::uint64_t) { return mean * (1 + 0.05 * normal(random)); };
  };
  Training training;
  training.series(key_of(kGradients, kAbsMean), noisy(1e-3))
      .series(key_of(kGradients, kL2), noisy(0.5))
      .series(key_of(kGradients, kSpread), noisy(0.01))
      .series(key_of(kGradients, kNonFinite), always(0))
      .series(key_of(kUpdates, kL2), noisy(1e-2))
      .series(key_of(kWeights, kL2), noisy(10))
      .series(key_of(kWeights, kChanged), always(500))
      .series(key_of(kActivations, kVariance, "layer1", ""), noisy(1))
      .series(key_of(kActivations, kVariance, "layer2", ""), noisy(3))
      .series(key_of(kActivations, kIdleShare, "layer1", ""), always(0.3))
      .series(key_of(kActivations, kZeroShare, "layer1", ""), noisy(0.5))
      .series(key_of(kLoss),
              [&](std::uint64_t step) {
                return std::exp(-0.02 * static_cast<double>(step)) * (2 + 0.01 * normal(random));
              })
      .series(key_of(kStepTime), noisy(20))
      .series(key_of(kMemory), always(1e9));
  for (const Verdict& verdict : training.verdicts()) {
    ADD_FAILURE() << verdict.rule << " of " << verdict.topic << " at " << verdict.step;
  }
}

TEST(Watcher, AVanishingGradientIsToldOnceWithItsFirstStep) {
  Training training;
  training.series(key_of(kGradients, kAbsMean), from(30, 1e-3, 1e-8), kSteps,
                  {4, "aten::linear", "model.py", 12});
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "vanishing-gradient");
  EXPECT_EQ(said[0].step, 30U);
  EXPECT_EQ(said[0].module, "layer");
  EXPECT_EQ(said[0].tensor, "weight");
  EXPECT_EQ(said[0].origin.file, "model.py");
  EXPECT_EQ(said[0].origin.line, 12U);
  EXPECT_EQ(evidence(said[0], "abs_mean"), 1e-8);
  EXPECT_THAT(said[0].cause, HasSubstr("loss"));
  EXPECT_THAT(said[0].advice, HasSubstr("."));
}

TEST(Watcher, AThresholdCanBeSet) {
  Training training;
  training.series(key_of(kGradients, kAbsMean), always(1e-5));
  EXPECT_THAT(training.verdicts(), IsEmpty());
  Thresholds stricter;
  stricter.vanishing_abs_mean = 1e-4;
  EXPECT_THAT(training.verdicts(stricter), SizeIs(1));
}

TEST(Watcher, AGradientOfAHundredTimesItsMedianExplodes) {
  Training below, above;
  below.series(key_of(kGradients, kL2), from(50, 2, 199));
  EXPECT_THAT(below.verdicts(), IsEmpty());
  above.series(key_of(kGradients, kL2), from(50, 2, 201));
  const auto said = above.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "exploding-gradient");
  EXPECT_EQ(said[0].step, 50U);
  EXPECT_EQ(evidence(said[0], "usual_l2"), 2);
}

TEST(Watcher, DeadAndSaturatedUnitsAreMoreThanHalf) {
  Training training;
  training.series(key_of(kActivations, kIdleShare, "half", ""), always(0.5))
      .series(key_of(kActivations, kIdleShare, "most", ""), from(10, 0.1, 0.51))
      .series(key_of(kActivations, kSaturatedShare, "tanh", ""), from(20, 0.1, 0.9));
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(2));
  EXPECT_EQ(said[0].rule, "dead-units");
  EXPECT_EQ(said[0].module, "most");
  EXPECT_EQ(said[1].rule, "saturated-units");
  EXPECT_EQ(said[1].step, 20U);
}

TEST(Watcher, OfNonFiniteValuesTheFirstInTheStepIsNamed) {
  Training training;
  training.series(key_of(kGradients, kNonFinite, "a"), from(7, 0, 3), kSteps, {9, "", "", 0})
      .series(key_of(kActivations, kNonFinite, "z", ""), from(7, 0, 5), kSteps,
              {2, "aten::log", "loss.py", 33})
      .series(key_of(kActivations, kNonFinite, "b", ""), from(7, 0, 8), kSteps, {3, "", "", 0})
      .series(key_of(kActivations, kNonFinite, "first", ""), from(8, 0, 8), kSteps, {1, "", "", 0});
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "non-finite");
  EXPECT_EQ(said[0].step, 7U);
  EXPECT_EQ(said[0].module, "z");
  EXPECT_EQ(said[0].origin.operator_name, "aten::log");
  EXPECT_EQ(said[0].origin.line, 33U);
  EXPECT_EQ(evidence(said[0], "tensors"), 3);
}

TEST(Watcher, ALossThatIsNotANumberIsNonFiniteToo) {
  Training training;
  training.series(key_of(kLoss), [](std::uint64_t step) {
    return step == 5 ? NAN : 10.0 / static_cast<double>(step + 1);
  });
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "non-finite");
  EXPECT_EQ(said[0].step, 5U);
}

TEST(Watcher, UpdatesAreComparedWithTheWeightsOfTheSameTensor) {
  Training training;
  training.series(key_of(kWeights, kL2, "a"), always(1))
      .series(key_of(kUpdates, kL2, "a"), from(3, 1e-3, 11))
      .series(key_of(kWeights, kL2, "b"), always(1))
      .series(key_of(kUpdates, kL2, "b"), from(4, 1e-3, 1e-9))
      .series(key_of(kWeights, kL2, "b", "bias"), always(0.01))
      .series(key_of(kUpdates, kL2, "b", "bias"), always(11))
      .series(key_of(kUpdates, kL2, "without weights"), always(11));
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(2));
  EXPECT_EQ(said[0].module, "a");
  EXPECT_NEAR(evidence(said[0], "ratio"), 11, 1e-6);
  EXPECT_THAT(said[0].cause, HasSubstr("too high"));
  EXPECT_EQ(said[1].module, "b");
  EXPECT_EQ(said[1].step, 4U);
  EXPECT_THAT(said[1].cause, HasSubstr("almost zero"));
}

TEST(Watcher, PoorInitialisationIsSeenInTheFirstStepsOnly) {
  Training early, late;
  early.series(key_of(kActivations, kVariance, "first", ""), always(1), kSteps, {1, "", "", 0})
      .series(key_of(kActivations, kVariance, "last", ""), always(20), kSteps, {2, "", "", 0});
  const auto said = early.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "poor-initialisation");
  EXPECT_EQ(said[0].module, "last");
  EXPECT_THAT(said[0].cause, HasSubstr("grow"));
  late.series(key_of(kActivations, kVariance, "first", ""), always(1))
      .series(key_of(kActivations, kVariance, "last", ""), from(10, 9, 2000));
  EXPECT_THAT(late.verdicts(), IsEmpty());
}

TEST(Watcher, GradientsThatAreAllAlikeAndAFlatStartArePoorToo) {
  Training alike, flat;
  alike.series(key_of(kGradients, kSpread), always(1e-4));
  EXPECT_EQ(alike.verdicts().at(0).rule, "poor-initialisation");
  flat.series(key_of(kLoss), always(2.3), 10);
  const auto said = flat.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "poor-initialisation");
  EXPECT_EQ(said[0].step, 5U);
}

TEST(Watcher, ATensorThatStaysTheSameForThreeStepsIsUnchanged) {
  Training training;
  training.series(key_of(kWeights, kChanged, "frozen"), always(0))
      .series(key_of(kWeights, kChanged, "pauses"),
              [](std::uint64_t step) { return static_cast<double>(step % 2); });
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "unchanged-tensor");
  EXPECT_EQ(said[0].module, "frozen");
  EXPECT_EQ(said[0].step, 1U);  // the second comparison is of the third step
}

TEST(Watcher, ATensorOfZerosIsToldAfterThreeSteps) {
  Training training;
  training.series(key_of(kGradients, kZeroShare, "dead"), always(1))
      .series(key_of(kGradients, kZeroShare, "almost"), always(0.999))
      .series(key_of(kWeights, kZeroShare, "starts at zero", "bias"), from(2, 1, 0));
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "all-zero-tensor");
  EXPECT_EQ(said[0].module, "dead");
  EXPECT_EQ(said[0].step, 2U);
}

TEST(Watcher, ALossThatStopsFallingIsTold) {
  Training training;
  training.series(key_of(kLoss), [](std::uint64_t step) {
    return step < 40 ? 10 - 0.1 * static_cast<double>(step) : 6.0;
  });
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "loss-not-decreasing");
  // Losses 6.1 and then 6: means of ten that fall by less than 0.1 %: from the step on whose two
  // windows hold 6.1 at most once, 9 * 6 + 6.1 = 60.1 before and 60 now: 0.166 %; so all are 6.
  EXPECT_EQ(said[0].step, 59U);
  EXPECT_EQ(evidence(said[0], "mean_loss"), 6);
}

TEST(Watcher, OverfittingHasToLastForMoreThanOneValidation) {
  const auto falling = [](std::uint64_t step) { return 2 - 0.01 * static_cast<double>(step); };
  Training once, lasting;
  const auto validate = [](Training& training, const std::function<double(std::uint64_t)>& loss) {
    training.series(key_of(kValidationLoss), loss);
  };
  once.series(key_of(kLoss), falling);
  validate(once, [&](std::uint64_t step) { return falling(step) * (step == 50 ? 1.2 : 1.05); });
  EXPECT_THAT(once.verdicts(), IsEmpty());
  lasting.series(key_of(kLoss), falling);
  validate(lasting, [&](std::uint64_t step) { return falling(step) * (step < 50 ? 1.05 : 1.2); });
  const auto said = lasting.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "overfit");
  EXPECT_EQ(said[0].step, 51U);
  EXPECT_NEAR(evidence(said[0], "ratio"), 0.2, 1e-9);
}

TEST(Watcher, AValidationIsComparedWithTheSameFunctionWhereThatIsTold) {
  const auto constant = [](double value) { return [value](std::uint64_t) { return value; }; };
  const auto series_of = [](const char* function, const char* topic) {
    return model::SeriesKey{"", function, topic, ""};
  };
  Training accumulating, overfitting;
  for (Training* training : {&accumulating, &overfitting}) {
    training->series(key_of(kLoss),
                     [](std::uint64_t step) { return 0.5 / (1 + static_cast<double>(step)); });
    training->series(series_of("mse_loss", kTrainingLoss), constant(2));
    training->series(series_of("mse_loss", kValidationLoss), constant(2));
  }
  overfitting.series(series_of("l1_loss", kTrainingLoss), constant(1));
  overfitting.series(series_of("l1_loss", kValidationLoss), constant(2));
  EXPECT_THAT(accumulating.verdicts(), IsEmpty());
  const auto said = overfitting.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "overfit");
  EXPECT_EQ(said[0].tensor, "l1_loss");
}

TEST(Watcher, TenStepsFarAboveTheOthersAreOutliers) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Training training;
  training.series(key_of(kStepTime), [&](std::uint64_t step) {
    return 20 + 0.1 * normal(random) + (step > 25 && step % 7 == 0 ? 40 : 0);
  });
  const auto said = training.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "step-time-outliers");
  EXPECT_EQ(said[0].step, 91U);  // the tenth multiple of 7 above 25
}

TEST(Watcher, MemoryThatGrowsByMoreThanAFewPercentIsTold) {
  Training leaking, starting;
  leaking.series(key_of(kMemory),
                 [](std::uint64_t step) { return 1e9 * (1 + 0.01 * static_cast<double>(step)); });
  const auto said = leaking.verdicts();
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_EQ(said[0].rule, "growing-memory");
  EXPECT_EQ(said[0].step, 29U);
  starting.series(key_of(kMemory), from(3, 1e8, 1e9));
  EXPECT_THAT(starting.verdicts(), IsEmpty());
}

TEST(Watcher, WhatComesAfterItsStepIsRefused) {
  Watcher watcher;
  const SeriesId id = watcher.add_series(key_of(kLoss));
  EXPECT_EQ(watcher.add_series(key_of(kLoss)), id);
  EXPECT_TRUE(watcher.add(id, 3, 1));
  EXPECT_THAT(watcher.end_step(3), IsEmpty());
  EXPECT_FALSE(watcher.add(id, 3, 1));
  EXPECT_FALSE(watcher.add(id, 0, 1));
  EXPECT_TRUE(watcher.add(id, 4, 1));
  EXPECT_FALSE(watcher.add(id + 1, 4, 1)) << "nobody knows that series";
}

}  // namespace
}  // namespace sightline::supervise
