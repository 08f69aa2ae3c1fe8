#include "core/record/replay.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::record {
namespace {

class ReplayTest : public testing::Test {
 protected:
  // Plays a step, a letter a lookup; returns the letters that were not found in the step before.
  std::string play(const std::string& step) {
    std::string missed;
    for (const char letter : step) {
      if (replay_.next([&](char known) { return known == letter; }) != nullptr) continue;
      missed += letter;
      replay_.learn(letter);
    }
    replay_.restart();
    return missed;
  }

  Budget budget_{1 << 20};
  Replay<char> replay_{budget_};
};

TEST_F(ReplayTest, FindsAllOfAStepThatRepeatsTheOneBefore) {
  EXPECT_EQ(play("abcabd"), "abcabd");
  EXPECT_EQ(play("abcabd"), "");
  EXPECT_EQ(play("abcabd"), "");
}

TEST_F(ReplayTest, GoesOnAfterSomethingNew) {
  play("abcdefghijklm");
  EXPECT_EQ(play("abcXdefghijklm"), "X");
  EXPECT_EQ(play("abcdefghijklm"), "");
}

TEST_F(ReplayTest, GoesOnAfterSomethingLeftOut) {
  play("abcdefghijklm");
  EXPECT_EQ(play("abcfghijklm"), "");
  EXPECT_EQ(play("abcdefghijklm"), "");
}

TEST_F(ReplayTest, LearnsAStepAfterOneThatStrayedFar) {
  play("abcdef");
  EXPECT_EQ(play("uvwxyz"), "uvwxyz");
  EXPECT_EQ(play("uvwxyz"), "uvwxyz");
  EXPECT_EQ(play("uvwxyz"), "");
}

TEST_F(ReplayTest, WithoutRoomFindsNothingAndHarmsNothing) {
  Budget none{0};
  Replay<char> replay{none};
  replay.learn('a');
  replay.restart();
  EXPECT_EQ(replay.next([](char) { return true; }), nullptr);
}

}  // namespace
}  // namespace sightline::record
