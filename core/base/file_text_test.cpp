#include "core/base/file_text.h"

#include <gtest/gtest.h>

#include "core/base/test_folder.h"

namespace sightline {
namespace {

TEST(FileText, HasEveryByte) {
  const TestFolder folder;
  const std::string bytes("a\r\n\0\xff z", 7);
  EXPECT_EQ(file_text(folder.file("some", bytes)), bytes);
  EXPECT_EQ(file_text(folder.file("empty", "")), "");
}

TEST(FileText, IsNothingIfThereIsNoFile) {
  const TestFolder folder;
  EXPECT_EQ(file_text(folder / "absent"), std::nullopt);
  EXPECT_EQ(file_text(folder.path()), std::nullopt);
}

}  // namespace
}  // namespace sightline
