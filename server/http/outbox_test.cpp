#include "server/http/outbox.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

Outbox::Message text(std::size_t size, char letter = 'x') {
  return std::make_shared<const std::string>(size, letter);
}

TEST(Outbox, GivesMessagesInOrderAndSharesThem) {
  Outbox outbox(64, 1000);
  const Outbox::Message first = text(1, 'a');
  outbox.push(first);
  outbox.push(text(1, 'b'));
  EXPECT_EQ(outbox.take(), first);
  EXPECT_EQ(*outbox.take(), "b");
  EXPECT_EQ(outbox.take(), nullptr);
  EXPECT_FALSE(outbox.take_behind());
}

TEST(Outbox, DropsEverythingBeyondItsNumberOfMessages) {
  Outbox outbox(10, 1000);
  for (int count = 0; count < 10; ++count) outbox.push(text(1));
  EXPECT_EQ(outbox.bytes(), 10U);
  outbox.push(text(1));
  EXPECT_TRUE(outbox.empty());
  EXPECT_EQ(outbox.bytes(), 0U);
  outbox.push(text(1));
  EXPECT_TRUE(outbox.empty()) << "what comes before everything is told anew is dropped too";
  EXPECT_TRUE(outbox.take_behind());
  EXPECT_FALSE(outbox.take_behind());
  outbox.push(text(1));
  EXPECT_FALSE(outbox.empty());
}

TEST(Outbox, DropsEverythingBeyondItsBytes) {
  Outbox outbox(64, 1000);
  for (int count = 0; count < 10; ++count) outbox.push(text(100));
  EXPECT_FALSE(outbox.empty());
  outbox.push(text(1));
  EXPECT_TRUE(outbox.empty());
  EXPECT_TRUE(outbox.take_behind());
}

TEST(Outbox, AlwaysHasRoomForAllThatThereIsToKnow) {
  Outbox outbox(64, 1000);
  for (std::size_t count = 0; count < Outbox::kAlwaysTaken; ++count) outbox.push(text(900));
  EXPECT_FALSE(outbox.take_behind());
  EXPECT_FALSE(outbox.empty());
}

}  // namespace
}  // namespace sightline::server
