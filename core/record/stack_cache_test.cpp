#include "core/record/stack_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/record/fake_program.h"

namespace sightline::record {
namespace {

TEST(StackCache, KnowsTheCommonAncestorOfSuccessiveStacksAsTheTreeDoes) {
  FakeProgram program;
  Recorder& recorder = program.recorder;
  StackCache stack(recorder.tree(), recorder.modules(), program, recorder.budget());
  std::mt19937 random(3);
  model::NodeId before = model::kNone;
  for (int turn = 0; turn < 2'000; ++turn) {
    std::vector<Place> places;
    const std::size_t depth = 1 + random() % 5;
    for (std::size_t i = 0; i < depth; ++i) {
      places.push_back(
          {std::string(1, static_cast<char>('a' + random() % 2)), static_cast<int>(random() % 2)});
    }
    program.put_stack(places);
    std::copy_n(program.thread.scratch().begin(), depth, stack.scratch().begin());
    const bool is_grafted = turn > 50 && random() % 4 == 0;
    const model::NodeId base = is_grafted ? 1 + static_cast<model::NodeId>(random() % 2) : 0;
    const model::NodeId after =
        stack.locate({depth, 0}, is_grafted ? 1 : 0, base, [](model::NodeId) {});
    EXPECT_EQ(stack.common_ancestor(before, after), recorder.tree().common_ancestor(before, after));
    before = after;
  }
}

// A program whose functions call, return and go on, innermost frame first as a reader gives them.
class CallingProgram {
 public:
  explicit CallingProgram(unsigned seed) : random_(seed) { push(); }

  // To the next line that is looked at.
  void go_on() {
    for (std::size_t back = random_() % frames_.size(); back > 0; --back) frames_.pop_back();
    ++frames_.back().offset;
    frames_.back().offset %= kLines;
    for (std::size_t calls = random_() % 4; calls > 0 && frames_.size() < kDeepest; --calls) push();
  }

  const void* running_module() const {
    const auto call = std::ranges::find_if(
        frames_, [](const RawFrame& frame) { return frame.module != nullptr; });
    return call != frames_.end() ? call->module : nullptr;
  }

  Stack read(std::span<RawFrame> into, std::span<const OpenCall> open) const {
    std::size_t count = 0;
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
      into[count++] = *frame;
      const auto known = std::ranges::find(open, *frame, &OpenCall::frame);
      if (frame->call != 0 && known != open.end()) return {known->outer + count, known->outer};
    }
    return {count, 0};
  }

 private:
  static constexpr std::int32_t kLines = 3;
  static constexpr std::size_t kDeepest = 12;

  void push() {
    RawFrame frame;
    const std::size_t function = random_() % functions_.size();
    frame.code = &functions_[function];
    if (function % 2 == 1) {
      frame.module = &functions_[function];
      frame.call = ++calls_;
    }
    frames_.push_back(frame);
  }

  std::vector<std::string> functions_ = {"train", "layer", "helper", "block"};
  std::vector<RawFrame> frames_;
  std::uint64_t calls_ = 0;
  std::mt19937 random_;
};

TEST(StackCache, FindsTheSameNodesAndCallsWhereReadingStoppedAtACallThatIsStillOpen) {
  FakeProgram resolver;
  Recorder& recorder = resolver.recorder;
  StackCache whole(recorder.tree(), recorder.modules(), resolver, recorder.budget());
  StackCache partial(recorder.tree(), recorder.modules(), resolver, recorder.budget());
  CallingProgram program(7);
  std::size_t left_out = 0;
  for (int turn = 0; turn < 5'000; ++turn) {
    program.go_on();
    if (turn % 1'000 == 999) recorder.modules().forget(program.running_module());
    std::vector<model::NodeId> calls;
    std::vector<model::NodeId> partial_calls;
    const auto collect = [](std::vector<model::NodeId>& into) {
      return [&into](model::NodeId node) { into.push_back(node); };
    };
    const Stack read = program.read(partial.scratch(), partial.open_calls());
    left_out += read.known;
    EXPECT_EQ(partial.locate(read, 0, model::kNone, collect(partial_calls)),
              whole.locate(program.read(whole.scratch(), {}), 0, model::kNone, collect(calls)));
    EXPECT_EQ(partial_calls, calls);
  }
  EXPECT_GT(left_out, 1'000u);
}

TEST(StackCache, OffersNoCallsOfAStackWhoseOutermostFramesWereLeftOut) {
  FakeProgram resolver;
  Recorder& recorder = resolver.recorder;
  StackCache stack(recorder.tree(), recorder.modules(), resolver, recorder.budget());
  const std::string function = "layer";
  for (std::size_t i = 0; i < kMaxStackDepth; ++i) {
    stack.scratch()[i] = {.code = &function, .module = &function, .call = kMaxStackDepth - i};
  }
  (void)stack.locate({kMaxStackDepth - 1, 0}, 0, model::kNone, [](model::NodeId) {});
  EXPECT_EQ(stack.open_calls().size(), kMaxStackDepth - 1);
  (void)stack.locate({kMaxStackDepth, 0}, 0, model::kNone, [](model::NodeId) {});
  EXPECT_TRUE(stack.open_calls().empty());
}

}  // namespace
}  // namespace sightline::record
