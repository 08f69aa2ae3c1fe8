#include "core/base/memory_apart.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

TEST(MemoryApart, HoldsWhatIsPutIn) {
  ListApart<TextApart> texts;
  for (int i = 0; i < 10'000; ++i) texts.emplace_back(TextApart(40, 'a')).append(std::to_string(i));
  const ListApart<TextApart> copy = texts;
  texts.clear();
  ASSERT_EQ(copy.size(), 10'000U);
  EXPECT_EQ(copy[4711], TextApart(40, 'a') + "4711");
}

TEST(MemoryApart, IsUsedAgain) {
  memory_apart().deallocate(memory_apart().allocate(100, 8), 100, 8);
  void* first = memory_apart().allocate(100, 8);
  memory_apart().deallocate(first, 100, 8);
  void* second = memory_apart().allocate(100, 8);
  memory_apart().deallocate(second, 100, 8);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace sightline
