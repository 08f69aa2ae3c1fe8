#include "core/profile/batch/available_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace sightline::profile {
namespace {

namespace fs = std::filesystem;

class AvailableMemory : public testing::Test {
 protected:
  AvailableMemory() { fs::create_directories(root_); }
  ~AvailableMemory() override { fs::remove_all(root_); }

  void file(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  const fs::path root_ =
      fs::temp_directory_path() / ("sightline-memory-" + std::to_string(getpid()));
};

TEST_F(AvailableMemory, IsWhatTheMachineHasLeft) {
  file("proc/meminfo", "MemTotal: 8000 kB\nMemFree: 10 kB\nMemAvailable: 6000 kB\n");
  EXPECT_EQ(available_memory_bytes(root_), 6000u * 1024);
}

TEST_F(AvailableMemory, IsLessInAGroupThatMayHaveLess) {
  file("proc/meminfo", "MemAvailable: 6000 kB\n");
  file("proc/self/cgroup", "0::/outer/inner\n");
  file("sys/fs/cgroup/outer/memory.max", "1000000\n");
  file("sys/fs/cgroup/outer/memory.current", "400000\n");
  file("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_EQ(available_memory_bytes(root_), 600'000u);
}

TEST_F(AvailableMemory, KnowsOldControlGroups) {
  file("proc/meminfo", "MemAvailable: 6000 kB\n");
  file("proc/self/cgroup", "5:cpu:/job\n4:memory:/job\n");
  file("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "500\n");
  file("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "700\n");
  EXPECT_EQ(available_memory_bytes(root_), 0u);
}

TEST_F(AvailableMemory, OfThisMachineIsKnown) { EXPECT_GT(available_memory_bytes(), 0u); }

}  // namespace
}  // namespace sightline::profile
