#include "core/record/stack_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
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
    const model::NodeId after = stack.locate(depth, is_grafted ? 1 : 0, base, [](model::NodeId) {});
    EXPECT_EQ(stack.common_ancestor(before, after), recorder.tree().common_ancestor(before, after));
    before = after;
  }
}

}  // namespace
}  // namespace sightline::record
