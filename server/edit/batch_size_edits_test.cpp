#include "server/edit/batch_size_edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/file_text.h"
#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BatchSizeEditsTest : public testing::Test {
 protected:
  void write(const std::string& value) {
    folder_.file("entry.py", "def sightline_input_provider(batch_size=" + value + "):\n");
  }
  std::string read() const {
    const std::string text = file_text(folder_ / "entry.py").value_or("");
    return text.substr(40, text.size() - 40 - 3);
  }

  TestFolder folder_;
  BatchSizeEdits edits_{folder_ / "entry.py", folder_.path(), 0};
};

TEST_F(BatchSizeEditsTest, AreTakenBackOneByOne) {
  write("1 << 5");
  EXPECT_EQ(edits_.written(), (WrittenBatchSize{32, "entry.py", 1, "", false}));
  ASSERT_TRUE(edits_.set(48).ok());
  ASSERT_TRUE(edits_.set(64).ok());
  EXPECT_EQ(edits_.written(), (WrittenBatchSize{64, "entry.py", 1, "", true}));
  ASSERT_TRUE(edits_.undo().ok());
  EXPECT_EQ(read(), "48");
  ASSERT_TRUE(edits_.undo().ok());
  EXPECT_EQ(read(), "1 << 5");
  EXPECT_FALSE(edits_.undo().ok());
}

TEST_F(BatchSizeEditsTest, WhatSomebodyElseWroteStays) {
  write("32");
  ASSERT_TRUE(edits_.set(48).ok());
  write("50");
  EXPECT_FALSE(edits_.written().can_undo);
  const Result<void> undone = edits_.undo();
  ASSERT_FALSE(undone.ok());
  EXPECT_THAT(undone.error().message, HasSubstr("by somebody else"));
  EXPECT_EQ(read(), "50");
}

TEST_F(BatchSizeEditsTest, OneThatNobodyExpectedIsNotReplaced) {
  write("24");
  const Result<void> refused = edits_.set(77, 16);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("entry.py:1 was changed meanwhile"));
  EXPECT_THAT(refused.error().message, HasSubstr("says 24, and not 16"));
  EXPECT_EQ(read(), "24");
  EXPECT_TRUE(edits_.set(77, 24).ok());
  EXPECT_EQ(read(), "77");
}

TEST_F(BatchSizeEditsTest, ARefusalSaysWhatToWriteByHand) {
  write("1 << 5");
  fs::permissions(folder_ / "entry.py", fs::perms::owner_read);
  const Result<void> refused = edits_.set(48);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message,
              HasSubstr("read-only. By hand: write 48 in place of 1 << 5 at entry.py:1"));
}

TEST_F(BatchSizeEditsTest, OnlyABatchSizeIsWritten) {
  write("32");
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-4}, std::int64_t{1} << 40}) {
    EXPECT_FALSE(edits_.set(size).ok());
  }
  EXPECT_EQ(read(), "32");
}

TEST_F(BatchSizeEditsTest, AGivenBatchSizeIsNotInTheCode) {
  write("32");
  BatchSizeEdits given(folder_ / "entry.py", folder_.path(), 8);
  EXPECT_THAT(given.written().why_not, HasSubstr("--batch-size 8"));
  EXPECT_FALSE(given.set(4).ok());
  EXPECT_EQ(read(), "32");
}

}  // namespace
}  // namespace sightline::server
