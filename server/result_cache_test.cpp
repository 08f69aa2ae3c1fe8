#include "server/result_cache.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

class ResultCacheTest : public testing::Test {
 protected:
  void keep(const std::string& key, std::uint64_t analysis, bool complete = true) {
    std::ofstream(cache_.place(analysis, ".sightline")) << "a run";
    cache_.keep(key, analysis, "body of " + std::to_string(analysis), complete);
  }
  std::string body(const std::string& key) {
    const std::optional<CachedResult> found = cache_.find(key);
    return found ? ResultCache::read(*found).value_or("unreadable") : "none";
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), {}));
  }

  TestFolder folder_;
  ResultCache cache_{folder_.path()};
};

TEST_F(ResultCacheTest, FindsWhatItKeeps) {
  keep("one", 1);
  keep("two", 2, false);
  EXPECT_EQ(body("one"), "body of 1");
  EXPECT_TRUE(cache_.find("one")->complete);
  EXPECT_FALSE(cache_.find("two")->complete);
  EXPECT_EQ(body("three"), "none");
}

TEST_F(ResultCacheTest, FindsTheNewestOfAKeyAndKeepsTheOther) {
  keep("one", 1, false);
  keep("one", 1);
  EXPECT_TRUE(cache_.find("one")->complete);
  keep("one", 2);
  EXPECT_EQ(body("one"), "body of 2");
  EXPECT_EQ(body("one"), "body of 2") << "also when it was used since";
  EXPECT_EQ(files(), 4U);
}

TEST_F(ResultCacheTest, ForgetsWhatWasNotUsedForLong) {
  for (std::uint64_t analysis = 1; analysis <= 100; ++analysis) {
    keep(std::to_string(analysis), analysis);
    EXPECT_EQ(body("1"), "body of 1") << "it was asked for just now";
  }
  EXPECT_EQ(body("50"), "none");
  EXPECT_EQ(files(), 64U);
}

}  // namespace
}  // namespace sightline::server
