#include "core/supervise/feed/feed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/supervise/bus/kinds.h"

namespace sightline::supervise {
namespace {

class FeedTest : public testing::Test {
 protected:
  FeedTest() {
    for (const ParameterTopics& topics : kParameterTopics) {
      for (const char* topic : {topics.values, topics.gradients, topics.updates}) {
        EXPECT_TRUE(bus_.declare(topic, Scope::Module).ok());
      }
    }
    EXPECT_TRUE(bus_.declare(kActivationTopic, Scope::Module).ok());
  }

  std::unique_ptr<Feed> make(FeedOptions options = {}) {
    return Feed::make(bus_, supervision_, options).value();
  }

  void tell(const char* topic, const std::string& module, const std::string& tensor,
            const std::vector<float>& values, std::vector<std::int64_t> sizes = {},
            std::uint64_t sampled_from = 0) {
    if (sizes.empty()) sizes = {static_cast<std::int64_t>(values.size())};
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    Message message;
    message.topic = topic;
    message.module = module;
    message.tensor = tensor;
    message.step = step_;
    message.payload =
        Tensor{{values.data(), ElementType::Float32, sizes, strides}, {}, {}, sampled_from};
    bus_.publish(message);
  }

  // The last value of each series, by "module.tensor topic statistic".
  std::map<std::string, double> told() {
    const model::TrainingDelta delta = log_->take(false);
    for (const model::SeriesDefinition& one : delta.series) names_[one.id] = one.key;
    for (const model::SeriesPoints& points : delta.points) {
      const model::SeriesKey& key = names_[points.series];
      values_[key.module + "." + key.tensor + " " + key.topic + " " + key.statistic] =
          points.points.back().value;
    }
    return values_;
  }

  std::vector<Verdict> end(Feed& feed) { return feed.end_step(step_++, 0, 1'000'000, 0); }

  Bus bus_;
  std::shared_ptr<record::TrainingLog> log_ = std::make_shared<record::TrainingLog>();
  Supervision supervision_{log_};
  std::uint64_t step_ = 0;
  std::map<model::SeriesId, model::SeriesKey> names_;
  std::map<std::string, double> values_;
};

TEST_F(FeedTest, ParametersOfAllKindsHaveTheSameSeriesTopics) {
  const auto feed = make({.topics = {kWeights, kGradients, kUpdates}});
  tell("weights", "fc", "weight", {3, 4});
  tell("bias_gradients", "fc", "bias", {1, 2, 2});
  tell("parameter_updates", "lstm", "weight_ih_l0", {0, 5});
  end(*feed);
  const auto values = told();
  EXPECT_DOUBLE_EQ(values.at("fc.weight weights l2"), 5);
  EXPECT_DOUBLE_EQ(values.at("fc.bias gradients l2"), 3);
  EXPECT_DOUBLE_EQ(values.at("lstm.weight_ih_l0 updates l2"), 5);
  EXPECT_DOUBLE_EQ(values.at("lstm.weight_ih_l0 updates zero_share"), 0.5);
}

TEST_F(FeedTest, OnlyWhatIsAskedForIsWanted) {
  const auto feed = make({.topics = {kGradients}, .figures = {kL2}});
  EXPECT_TRUE(bus_.wants("weight_gradients"));
  EXPECT_FALSE(bus_.wants("weights"));
  EXPECT_FALSE(bus_.wants("activations"));
  for (int step = 0; step < 12; ++step) {  // past those in which the spread is told
    tell("weight_gradients", "fc", "weight", {3, 4});
    end(*feed);
  }
  for (const auto& [name, value] : told()) {
    const bool expected = name == "fc.weight gradients l2" ||
                          name == "fc.weight gradients spread" || name == ". supervision_ms ";
    EXPECT_TRUE(expected) << name;
  }
}

// Floats in memory, with a view of them or without.
class InMemory final : public TensorSource {
 public:
  explicit InMemory(std::vector<float> values) : values_(std::move(values)) {}

  const TensorView* view() const override {
    view_ = view_of(values_);
    return &view_;
  }
  std::span<const float> floats() const override { return quick ? values_ : std::span<float>(); }
  std::shared_ptr<const TensorSource> kept() const override { return nullptr; }

  bool quick = true;

 private:
  mutable std::vector<float> values_;
  mutable TensorView view_;
};

TEST_F(FeedTest, NormsToldTogetherAreThoseOfEach) {
  const auto feed = make({.topics = {kGradients}, .figures = {kL2, kNonFinite}});
  for (; step_ < 12; ++step_) {  // past those in which the spread is told
    const std::vector<std::vector<float>> values = {
        {3, 4}, {5e-30F, 12e-30F}, {NAN, 8, 6}, {3e30F, 4e30F}, {0, 0}, {3, 4}, {12}};
    std::vector<Message> told(values.size());
    std::vector<const Message*> messages;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto source = std::make_shared<InMemory>(values[i]);
      source->quick = i != 1;
      told[i].topic = i % 2 == 0 || i > 5 ? "weight_gradients" : "bias_gradients";
      told[i].module = std::to_string(std::min<std::size_t>(i, 5));  // the last comes twice
      told[i].step = step_;
      told[i].payload = Tensor{{}, {}, source};
      messages.push_back(&told[i]);
    }
    const Bus::Line line = bus_.line("weight_gradients");
    ASSERT_TRUE(line.tells_whom(bus_.line("bias_gradients")));
    bus_.publish(line, messages);
    const std::vector<Verdict> verdicts = feed->end_step(step_, 0, 1'000'000, 0);
    if (step_ > 0) continue;
    ASSERT_FALSE(verdicts.empty());
    EXPECT_EQ(verdicts[0].rule, "non-finite");
    EXPECT_EQ(verdicts[0].module, "2");
  }
  const auto values = told();
  EXPECT_DOUBLE_EQ(values.at("0. gradients l2"), 5);
  EXPECT_NEAR(values.at("1. gradients l2"), 13e-30, 1e-36);
  EXPECT_DOUBLE_EQ(values.at("2. gradients l2"), 10);
  EXPECT_DOUBLE_EQ(values.at("2. gradients non_finite"), 1);
  EXPECT_NEAR(values.at("3. gradients l2"), 5e30, 1e24);
  EXPECT_DOUBLE_EQ(values.at("4. gradients l2"), 0);
  EXPECT_DOUBLE_EQ(values.at("4. gradients non_finite"), 0);
  EXPECT_DOUBLE_EQ(values.at("5. gradients l2"), 13);
}

TEST_F(FeedTest, OutputsOfSeveralCallsInAStepAreOne) {
  const auto feed = make();
  tell("activations", "cell", "", {1, 2});
  tell("activations", "cell", "@1", {2, 0});
  end(*feed);
  EXPECT_DOUBLE_EQ(told().at("cell. activations l2"), 3);
  tell("activations", "cell", "", {4});
  end(*feed);
  EXPECT_DOUBLE_EQ(told().at("cell. activations l2"), 4);
}

TEST_F(FeedTest, ASampleStandsForTheWhole) {
  const auto feed = make({.topics = {kUpdates}});
  tell("weight_updates", "fc", "weight", {1, -1, 1, -1}, {4}, 400);
  end(*feed);
  const auto values = told();
  EXPECT_DOUBLE_EQ(values.at("fc.weight updates l1"), 400);
  EXPECT_DOUBLE_EQ(values.at("fc.weight updates l2"), 20);
  EXPECT_DOUBLE_EQ(values.at("fc.weight updates abs_mean"), 1);
}

TEST_F(FeedTest, AWeightThatDoesNotChangeIsTold) {
  const auto feed = make();
  std::vector<Verdict> verdicts;
  for (int step = 0; step < 4; ++step) {
    tell("weights", "a", "weight", {1, 2, 3});
    tell("weights", "b", "weight", {1, 2, 3 + static_cast<float>(step)});
    for (Verdict& verdict : end(*feed)) verdicts.push_back(std::move(verdict));
  }
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].rule, "unchanged-tensor");
  EXPECT_EQ(verdicts[0].module, "a");
  EXPECT_EQ(verdicts[0].step, 2U);
}

TEST_F(FeedTest, UnitsThatAreNeverActiveAreDead) {
  const auto feed = make();
  feed->watch_units("relu", UnitKind::Relu);
  feed->watch_units("tanh", UnitKind::Tanh);
  feed->watch_units("sigmoid", UnitKind::Sigmoid);
  for (int step = 0; step < 10; ++step) {
    tell("activations", "relu", "", {0, 0, 0, 1, 0, 0, 0, 2}, {2, 4});
    // A layer on each of two elements of a sequence: the last dimension is that of units.
    tell("activations", "tanh", "", {1, -1, 0.5F, 1, 1, 0.5F}, {1, 2, 3});
    tell("activations", "sigmoid", "", {1, 0, 1, 0}, {2, 2});
    end(*feed);
  }
  const auto values = told();
  EXPECT_DOUBLE_EQ(values.at("relu. activations idle_share"), 0.75);
  EXPECT_DOUBLE_EQ(values.at("tanh. activations saturated_share"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(values.at("sigmoid. activations saturated_share"), 1);
}

TEST_F(FeedTest, OfAFunctionUnitsAreToldWithItsLine) {
  const auto feed = make();
  feed->watch_units("net", UnitKind::Tanh);  // what the module itself gives out
  feed->watch_function("net", "relu.2", UnitKind::Relu, "net.py", 7);
  std::vector<Verdict> verdicts;
  for (int step = 0; step < 10; ++step) {
    tell("activations", "net", "relu.2", {0, 0, 0, 1, 0, 0, 0, 2}, {2, 4});
    tell("activations", "net", "", {0.5F, 0.5F}, {1, 2});
    for (Verdict& verdict : end(*feed)) verdicts.push_back(std::move(verdict));
  }
  const auto values = told();
  EXPECT_DOUBLE_EQ(values.at("net.relu.2 activations idle_share"), 0.75);
  EXPECT_DOUBLE_EQ(values.at("net. activations saturated_share"), 0);
  EXPECT_FALSE(values.contains("net.relu.2 activations mean"));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].rule, "dead-units");
  EXPECT_EQ(verdicts[0].origin.file, "net.py");
  EXPECT_EQ(verdicts[0].origin.line, 7U);
}

// What a device would make of 2 x 2 numbers, the first of each two in the range.
class OnADevice final : public TensorSource {
 public:
  const TensorView* view() const override { return nullptr; }
  std::shared_ptr<const TensorSource> kept() const override { return nullptr; }
  bool is_on_device() const override { return true; }
  std::shared_ptr<const ComingFigures> begin_figures(
      const std::optional<ActiveRange>& active) const override {
    return std::make_shared<Figures>(*this, active.has_value());
  }

  Statistics statistics;
  mutable int reads = 0;

 private:
  class Figures final : public ComingFigures {
   public:
    Figures(const OnADevice& source, bool units) : source_(source), units_(units) {}
    DeviceFigures read() const override {
      ++source_.reads;
      return {source_.statistics, units_ ? UnitActivity{{2, 0}, 2} : UnitActivity{}};
    }

   private:
    const OnADevice& source_;
    const bool units_;
  };
};

TEST_F(FeedTest, ADeviceIsWaitedForWhenTheStepIsOver) {
  const auto feed = make();
  feed->watch_units("relu", UnitKind::Relu);
  const auto source = std::make_shared<OnADevice>();
  source->statistics = statistics_of(view_of(std::vector<float>{3, 0, 4, 0}));
  Message message;
  message.topic = kActivationTopic;
  message.module = "relu";
  message.payload = Tensor{{}, {}, source};
  for (int step = 0; step < 10; ++step) {
    message.step = step_;
    bus_.publish(message);
    EXPECT_EQ(source->reads, step);
    EXPECT_FALSE(told().contains("relu. activations l2") && step == 0);
    end(*feed);
    EXPECT_EQ(source->reads, step + 1);
  }
  const auto values = told();
  EXPECT_DOUBLE_EQ(values.at("relu. activations l2"), 5);
  EXPECT_DOUBLE_EQ(values.at("relu. activations zero_share"), 0.5);
  EXPECT_DOUBLE_EQ(values.at("relu. activations idle_share"), 0.5);
}

TEST_F(FeedTest, BadValuesOnADeviceAreTold) {
  const auto feed = make();
  const auto source = std::make_shared<OnADevice>();
  source->statistics = statistics_of(view_of(std::vector<float>{1, NAN, 2}));
  Message message;
  message.topic = kActivationTopic;
  message.module = "log";
  message.payload = Tensor{{}, {}, source};
  bus_.publish(message);
  const std::vector<Verdict> verdicts = end(*feed);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].rule, "non-finite");
  EXPECT_EQ(verdicts[0].module, "log");
}

TEST_F(FeedTest, WhoKnowsWhereBadValuesAroseIsAskedOnce) {
  const auto feed = make();
  int asked = 0;
  feed->set_origin("log", "model.py", 3);
  feed->find_source_by([&](const Message& message) {
    ++asked;
    EXPECT_EQ(message.module, "log");
    return Feed::Source{message.module, "aten::log", "model.py", 7};
  });
  tell("activations", "first", "", {1, 2});
  tell("activations", "log", "", {-INFINITY, 1});
  tell("activations", "last", "", {NAN, NAN});
  const std::vector<Verdict> verdicts = end(*feed);
  EXPECT_EQ(asked, 1);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].rule, "non-finite");
  EXPECT_EQ(verdicts[0].module, "log");
  EXPECT_EQ(verdicts[0].topic, "activations");
  EXPECT_EQ(verdicts[0].origin.operator_name, "aten::log");
  EXPECT_EQ(verdicts[0].origin.line, 7U);
}

TEST_F(FeedTest, AGradientIsBadFirstInTheLastModule) {
  const auto feed = make();
  feed->find_source_by([](const Message&) { return std::nullopt; });
  for (const char* module : {"0", "1", "2"}) tell("activations", module, "", {1, 2});
  tell("weight_gradients", "0", "weight", {NAN, 1});
  tell("weight_gradients", "1", "weight", {NAN, 1});
  tell("weight_gradients", "2", "weight", {1, 2});
  const std::vector<Verdict> verdicts = end(*feed);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].module, "1");
  EXPECT_EQ(verdicts[0].tensor, "weight");
}

TEST_F(FeedTest, ABadGradientMayComeFromAModuleWithoutParameters) {
  const auto feed = make();
  feed->find_source_by([](const Message&) {
    return Feed::Source{"root", "SqrtBackward0", "model.py", 7};
  });
  for (const char* module : {"first", "root"}) tell("activations", module, "", {1, 2});
  tell("weight_gradients", "first", "weight", {NAN, 1});
  const std::vector<Verdict> verdicts = end(*feed);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].module, "root");
  EXPECT_EQ(verdicts[0].tensor, "");
  EXPECT_EQ(verdicts[0].topic, "gradients");
  EXPECT_EQ(verdicts[0].origin.operator_name, "SqrtBackward0");
}

TEST_F(FeedTest, BetweenLooksNobodyMakesAnythingForIt) {
  FeedOptions options;
  options.budget_share = 0.05;
  const auto feed = make(options);
  int looked = 0;
  for (; step_ < 1000; ++step_) {
    const bool looking = bus_.wants("weights");
    EXPECT_EQ(looking, feed->looking());
    tell("weights", "fc", "weight", {static_cast<float>(step_)});
    looked += looking ? 1 : 0;
    feed->end_step(step_, 0, 1'000'000'000 + (looking ? 500'000'000 : 0),
                   looking ? 500'000'000 : 0);
  }
  EXPECT_NEAR(looked, 110, 5);
  const model::TrainingDelta delta = log_->take(false);
  for (const model::SeriesPoints& points : delta.points) {
    // Of a change there is nothing to tell the first time.
    EXPECT_NEAR(static_cast<double>(points.points.size()), looked - 0.5, 0.5);
  }
}

TEST_F(FeedTest, HistogramsComeEverySoManySteps) {
  FeedOptions options;
  options.histogram_every = 4;
  const auto feed = make(options);
  for (int step = 0; step < 9; ++step) {
    tell("weights", "fc", "weight", {1, 2, static_cast<float>(step)});
    end(*feed);
  }
  const model::TrainingDelta delta = log_->take(false);
  ASSERT_EQ(delta.histograms.size(), 3U);
  const auto& counts = delta.histograms[0].counts;
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 3U);
  EXPECT_EQ(delta.histograms[0].edges.size(), counts.size() + 1);
}

}  // namespace
}  // namespace sightline::supervise
