#include "core/store/event_coding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>

namespace sightline::store {
namespace {

using model::CostKind;
using model::Event;
using model::EventType;

bool same(const Event& a, const Event& b) {
  return a.type == b.type && a.kind == b.kind && a.depth == b.depth && a.op == b.op &&
         a.node == b.node && a.start_ns == b.start_ns && a.value == b.value;
}

void expect_round_trip(const std::vector<Event>& events) {
  const auto decoded = decode_events(encode_events(events), events.size());
  ASSERT_TRUE(decoded.ok());
  ASSERT_EQ(decoded.value().size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_TRUE(same(decoded.value()[i], events[i])) << "event " << i;
  }
}

std::vector<Event> like_a_real_step() {
  std::mt19937_64 random(7);
  std::vector<Event> events;
  std::uint64_t now = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    now += random() % 12000;
    const auto node = static_cast<std::uint32_t>(200 + i / 4 % 300);
    const auto kind = i < 2000 ? CostKind::Forward : CostKind::Backward;
    if (i % 3 == 2) {
      events.push_back({EventType::Allocate, kind, 0, 0, node, now, (random() % 4000) * 64});
    } else {
      events.push_back({EventType::Operator, kind, static_cast<std::uint16_t>(i % 2),
                        static_cast<std::uint32_t>(random() % 120), node, now, random() % 40000});
    }
  }
  return events;
}

TEST(EventCoding, CodesTheWorkedExampleAsDocumented) {
  const std::vector<Event> events = {{EventType::Operator, CostKind::Forward, 0, 3, 5, 1000, 300},
                                     {EventType::Allocate, CostKind::Forward, 0, 0, 5, 1010, 64}};
  const std::vector<std::uint8_t> bytes = {0x80, 0xe8, 0x07, 0xac, 0x02,
                                           0x0a, 0x03, 0xe1, 0x0a, 0x40};
  EXPECT_EQ(encode_events(events), bytes);
  expect_round_trip(events);
}

TEST(EventCoding, KeepsNothing) { expect_round_trip({}); }

TEST(EventCoding, KeepsExtremeValuesInAnyOrder) {
  constexpr auto k64 = std::numeric_limits<std::uint64_t>::max();
  constexpr auto k32 = std::numeric_limits<std::uint32_t>::max();
  constexpr auto k16 = std::numeric_limits<std::uint16_t>::max();
  expect_round_trip({{EventType::Operator, CostKind::Python, k16, k32, k32, k64, k64},
                     {EventType::Operator, CostKind::Forward, 0, 0, 0, 0, 0},
                     {EventType::Free, CostKind::Copy, k16, k32, k32, k64 / 2, k64},
                     {EventType::Allocate, CostKind::Data, 1, 2, 3, 5, 0},
                     {EventType::Operator, CostKind::Engine, 3, 1, k32, 4, 1}});
}

TEST(EventCoding, KeepsRandomEvents) {
  std::mt19937_64 random(11);
  std::vector<Event> events;
  for (int i = 0; i < 20000; ++i) {
    const auto bits = [&] { return random() >> (random() % 64); };
    events.push_back({static_cast<EventType>(random() % 3), static_cast<CostKind>(random() % 8),
                      static_cast<std::uint16_t>(bits()), static_cast<std::uint32_t>(bits()),
                      static_cast<std::uint32_t>(bits()), bits(), bits()});
  }
  expect_round_trip(events);
}

TEST(EventCoding, TakesAtMostEightBytesForAnEventOfARealStep) {
  const std::vector<Event> events = like_a_real_step();
  EXPECT_LE(encode_events(events).size(), events.size() * 8);
}

TEST(EventCoding, RefusesEveryTruncation) {
  std::vector<Event> events = like_a_real_step();
  events.resize(50);
  const std::vector<std::uint8_t> blob = encode_events(events);
  for (std::size_t size = 0; size < blob.size(); ++size) {
    EXPECT_FALSE(decode_events(std::span(blob).first(size), events.size()).ok()) << size;
  }
}

TEST(EventCoding, RefusesAWrongCount) {
  std::vector<Event> events = like_a_real_step();
  const std::vector<std::uint8_t> blob = encode_events(events);
  EXPECT_FALSE(decode_events(blob, events.size() - 1).ok());
  EXPECT_FALSE(decode_events(blob, events.size() + 1).ok());
  EXPECT_FALSE(decode_events(blob, std::numeric_limits<std::uint64_t>::max()).ok());
}

TEST(EventCoding, RefusesAnUnknownType) {
  EXPECT_FALSE(decode_events(std::vector<std::uint8_t>{0xe3, 0, 0}, 1).ok());
}

TEST(EventCoding, RefusesNumbersThatDoNotFit) {
  const std::vector<std::uint8_t> eleven(11, 0xff);
  std::vector<std::uint8_t> blob = {0xe0};
  blob.insert(blob.end(), eleven.begin(), eleven.end());
  EXPECT_FALSE(decode_events(blob, 1).ok());
  // node: below zero, then past 32 bits; depth: past 16 bits; op: past 32 bits.
  EXPECT_FALSE(decode_events(std::vector<std::uint8_t>{0xc0, 0, 0, 1}, 1).ok());
  EXPECT_FALSE(
      decode_events(std::vector<std::uint8_t>{0xc0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x20}, 1).ok());
  EXPECT_FALSE(decode_events(std::vector<std::uint8_t>{0x60, 0, 0, 0x80, 0x80, 0x08}, 1).ok());
  EXPECT_FALSE(
      decode_events(std::vector<std::uint8_t>{0xa0, 0, 0, 0x80, 0x80, 0x80, 0x80, 0x10}, 1).ok());
}

TEST(EventCoding, SurvivesGarbage) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::uint8_t> blob(random() % 64);
    for (std::uint8_t& byte : blob) byte = static_cast<std::uint8_t>(random());
    const auto decoded = decode_events(blob, random() % 20);
    if (decoded.ok()) {
      EXPECT_LE(decoded.value().size() * 3, blob.size());
    }
  }
}

}  // namespace
}  // namespace sightline::store
