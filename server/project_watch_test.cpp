#include "server/project_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <fstream>

#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsEmpty;

class ProjectWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_.path() / "nets");
    auto started = ProjectWatch::start(folder_.path());
    ASSERT_TRUE(started);
    watch_ = std::move(started).value();
  }

  void write(const std::string& name) const { std::ofstream(folder_.path() / name) << "text"; }

  std::vector<std::string> changed() {
    pollfd waiting{watch_->descriptor(), POLLIN, 0};
    poll(&waiting, 1, 1000);
    return watch_->read().paths;
  }

  TestFolder folder_;
  std::unique_ptr<ProjectWatch> watch_;
};

TEST_F(ProjectWatchTest, SaysNothingWhenNothingChanges) {
  EXPECT_THAT(watch_->read().paths, IsEmpty());
  EXPECT_TRUE(watch_->complete());
}

TEST_F(ProjectWatchTest, NamesAFileThatIsWrittenRenamedIntoPlaceOrRemoved) {
  write("nets/a.py");
  EXPECT_THAT(changed(), Contains("nets/a.py"));
  write("nets/draft");
  fs::rename(folder_.path() / "nets/draft", folder_.path() / "nets/a.py");
  EXPECT_THAT(changed(), Contains("nets/a.py"));
  fs::remove(folder_.path() / "nets/a.py");
  EXPECT_THAT(changed(), Contains("nets/a.py"));
}

TEST_F(ProjectWatchTest, WatchesFoldersThatAreNewMovedInOrFilledAtOnce) {
  fs::create_directories(folder_.path() / "one/two");
  write("one/two/a.py");
  EXPECT_THAT(changed(), Contains("one")) << "with all that is in it";
  write("one/two/b.py");
  EXPECT_THAT(changed(), Contains("one/two/b.py"));
  fs::rename(folder_.path() / "one", folder_.path() / "three");
  EXPECT_THAT(changed(), Contains("three"));
  write("three/two/c.py");
  EXPECT_THAT(changed(), Contains("three/two/c.py"));
}

TEST_F(ProjectWatchTest, LeavesForeignFoldersAlone) {
  fs::create_directory(folder_.path() / ".git");
  changed();
  write(".git/index");
  EXPECT_THAT(watch_->read().paths, IsEmpty());
}

TEST_F(ProjectWatchTest, SaysSoWhenMoreHappenedThanTheSystemCouldTell) {
  std::ifstream limit("/proc/sys/fs/inotify/max_queued_events");
  std::size_t most = 0;
  limit >> most;
  ASSERT_GT(most, 0U);
  for (std::size_t i = 0; i <= most; ++i) write("nets/" + std::to_string(i % 7));
  EXPECT_TRUE(watch_->read().anything);
}

}  // namespace
}  // namespace sightline::server
