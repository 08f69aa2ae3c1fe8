#include "core/profile/memory_limits.h"

#include <gtest/gtest.h>

#include "core/base/test_folder.h"

namespace sightline::profile {
namespace {

class MemoryLimits : public testing::Test {
 protected:
  void file(const std::string& path, const std::string& text) const { folder_.file(path, text); }

  const TestFolder folder_;
  const std::filesystem::path& root_ = folder_.path();
};

using AvailableMemory = MemoryLimits;
using MemoryCapacity = MemoryLimits;

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

TEST_F(MemoryCapacity, IsWhatTheMachineHas) {
  file("proc/meminfo", "MemTotal: 8000 kB\nMemAvailable: 6000 kB\n");
  EXPECT_EQ(memory_capacity_bytes(root_), 8000u * 1024);
}

TEST_F(MemoryCapacity, IsWhatAJobMayHaveWhoseStepsHaveNoLimit) {
  file("proc/meminfo", "MemTotal: 8000 kB\n");
  file("proc/self/cgroup", "0::/system.slice/slurmstepd.scope/job_7/step_0/task_0\n");
  const std::string job = "sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/";
  file(job + "memory.max", "1000000\n");
  file(job + "memory.current", "400000\n");
  file(job + "step_0/memory.max", "max\n");
  EXPECT_EQ(memory_capacity_bytes(root_), 1'000'000u);
}

TEST_F(MemoryCapacity, IsThatOfAContainerThatSeesItsOwnGroupAsTheRoot) {
  file("proc/meminfo", "MemTotal: 8000 kB\n");
  file("proc/self/cgroup", "4:memory:/docker/0a1b2c\n");
  file("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
  EXPECT_EQ(memory_capacity_bytes(root_), 500'000u);
}

TEST_F(MemoryCapacity, OfThisMachineIsNoLessThanWhatIsLeft) {
  EXPECT_GE(memory_capacity_bytes(), available_memory_bytes());
}

}  // namespace
}  // namespace sightline::profile
