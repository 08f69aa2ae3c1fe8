#include "core/export/write_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "core/base/file_text.h"
#include "core/base/test_folder.h"

namespace sightline::exports {
namespace {

namespace fs = std::filesystem;

class WriteFiles : public testing::Test {
 protected:
  std::vector<std::string> names(const fs::path& folder) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename());
    return found;
  }

  TestFolder folder_;
};

TEST_F(WriteFiles, MakesTheFolderAndReplacesWhatIsThere) {
  const fs::path inner = folder_ / "tables";
  ASSERT_TRUE(write_files({{inner / "a", "old"}}).ok());
  ASSERT_TRUE(write_files({{inner / "a", "new"}, {inner / "b", ""}}).ok());
  EXPECT_EQ(file_text(inner / "a"), "new");
  EXPECT_THAT(names(inner), testing::UnorderedElementsAre("a", "b"));
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(static_cast<mode_t>(fs::status(inner / "a").permissions()), 0666 & ~mask);
}

TEST_F(WriteFiles, LeavesNothingBehindWhenTheDiskIsFull) {
  std::ofstream(folder_ / "a") << "old";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Result<void> written =
      write_files({{folder_ / "a", "new"}, {folder_ / "tables" / "b", std::string(10'000, 'x')}});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::Io);
  EXPECT_THAT(written.error().message, testing::HasSubstr("tables/b cannot be written: "));
  EXPECT_THAT(names(folder_.path()), testing::ElementsAre("a"));
  EXPECT_EQ(file_text(folder_ / "a"), "old");
}

TEST_F(WriteFiles, LeavesNothingBehindWhenANameIsTaken) {
  fs::create_directory(folder_ / "a");
  ASSERT_FALSE(write_files({{folder_ / "a", "text"}}).ok());
  EXPECT_THAT(names(folder_.path()), testing::ElementsAre("a"));
}

}  // namespace
}  // namespace sightline::exports
