// Recording processes that are killed, watched, or have left their run in a folder that cannot be
// written.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "core/store/single_file.h"
#include "core/store/test_support.h"

namespace sightline::store {
namespace {

using test::must_read;
namespace fs = std::filesystem;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Delta number n: everything in it says n.
model::Delta numbered_delta(std::uint64_t n) {
  model::Delta delta;
  if (n == 1) delta = test::sample_delta();
  delta.steps.assign(1, {});
  delta.steps[0].index = n;
  delta.nodes.push_back({static_cast<model::NodeId>(n == 1 ? 4 : n + 3), 0, 1, 0});
  delta.costs.assign(1, {1, 1, model::CostKind::Forward, 1, n, n, n, n, n});
  delta.events.assign(1, {n, 1, std::vector<model::Event>(200)});
  for (std::uint64_t i = 0; i < 200; ++i) delta.events[0].events[i].start_ns = i * 3000;
  delta.totals.steps = n;
  return delta;
}

void expect_prefix_of_deltas(const model::Run& run, std::uint64_t at_least) {
  EXPECT_GE(run.totals.steps, at_least);
  EXPECT_EQ(run.steps.size(), run.totals.steps);
  EXPECT_EQ(run.events.size(), run.totals.steps);
  if (run.totals.steps == 0) return;
  EXPECT_EQ(run.nodes.size(), run.totals.steps + 4);
  ASSERT_EQ(run.costs.size(), 1U);
  EXPECT_EQ(run.costs[0].calls, run.totals.steps);
}

// A process that writes delta after delta until it is killed.
class Recorder {
 public:
  explicit Recorder(const fs::path& path) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    child_ = ::fork();
    if (child_ == 0) record(path, ends[1]);
    ::close(ends[1]);
    acknowledged_ = ends[0];
  }
  ~Recorder() {
    kill();
    ::close(acknowledged_);
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // How many deltas it has written, at least.
  std::uint64_t written() {
    std::uint64_t n = 0;
    while (::read(acknowledged_, &n, sizeof n) == sizeof n) written_ = n;
    return written_;
  }
  void wait_for(std::uint64_t deltas) {
    while (written() < deltas && ::waitpid(child_, nullptr, WNOHANG) == 0) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    ASSERT_GE(written(), deltas) << "the recording process died";
  }
  void kill() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = -1;
  }

 private:
  [[noreturn]] static void record(const fs::path& path, int acknowledge) {
    auto writer = RunWriter::create(path, test::sample_info());
    for (std::uint64_t n = 1; writer.ok() && n < 3000; ++n) {
      if (!writer.value()->write(numbered_delta(n))) break;
      if (::write(acknowledge, &n, sizeof n) != sizeof n) break;
      std::this_thread::sleep_for(microseconds(300));
    }
    ::_exit(1);
  }

  pid_t child_ = -1;
  int acknowledged_ = -1;
  std::uint64_t written_ = 0;
};

TEST(Killed, AtAnyInstantTheRunHoldsAllThatWasWritten) {
  std::mt19937_64 random(std::random_device{}());
  for (int round = 0; round < 20; ++round) {
    const TestFolder folder;
    Recorder recorder(folder / "run.sightline");
    recorder.wait_for(1);
    std::this_thread::sleep_for(microseconds(random() % 150'000));
    recorder.kill();
    const std::uint64_t written = recorder.written();
    expect_prefix_of_deltas(must_read(folder / "run.sightline"), written);

    const auto finalized = finalize(folder / "run.sightline");
    ASSERT_TRUE(finalized.ok()) << finalized.error().message;
    EXPECT_FALSE(fs::exists(folder / "run.sightline-wal"));
    const model::Run run = must_read(folder / "run.sightline");
    expect_prefix_of_deltas(run, written);
    EXPECT_FALSE(run.info.finished);
  }
}

TEST(Killed, WhileItIsCreatedTheRunIsReadOrRefusedClearly) {
  std::mt19937_64 random(std::random_device{}());
  for (int round = 0; round < 20; ++round) {
    const TestFolder folder;
    Recorder recorder(folder / "run.sightline");
    std::this_thread::sleep_for(microseconds(random() % 15'000));
    recorder.kill();
    const auto run = read_run(folder / "run.sightline");
    if (run) {
      expect_prefix_of_deltas(run.value(), recorder.written());
    } else {
      EXPECT_EQ(recorder.written(), 0U) << run.error().message;
      EXPECT_TRUE(run.error().kind == ErrorKind::NotFound || run.error().kind == ErrorKind::Corrupt)
          << run.error().message;
    }
  }
}

TEST(Killed, CanBeReadInAReadOnlyFolder) {
  for (const bool with_shm : {true, false}) {
    const test::SmallDisk disk("size=64m");
    if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a file system";
    Recorder recorder(disk / "run.sightline");
    recorder.wait_for(3);
    recorder.kill();
    if (!with_shm) fs::remove(disk / "run.sightline-shm");
    ASSERT_TRUE(disk.make_read_only());
    ASSERT_GT(fs::file_size(disk / "run.sightline-wal"), 0U);
    expect_prefix_of_deltas(must_read(disk / "run.sightline"), recorder.written());
    EXPECT_FALSE(finalize(disk / "run.sightline").ok());
    expect_prefix_of_deltas(must_read(disk / "run.sightline"), recorder.written());
  }
}

TEST(Finished, CanBeReadInAReadOnlyFolder) {
  const test::SmallDisk disk("size=4m");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a file system";
  test::make_run(disk / "run.sightline");
  ASSERT_TRUE(disk.make_read_only());
  EXPECT_EQ(must_read(disk / "run.sightline").totals.steps, 6U);
  EXPECT_TRUE(finalize(disk / "run.sightline").ok());
}

// Without the right to mount: as a user who may not write there.
TEST(Killed, CanBeReadByAUserWhoMayNotWrite) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become another user";
  const TestFolder folder;
  Recorder recorder(folder / "run.sightline");
  recorder.wait_for(3);
  recorder.kill();
  fs::permissions(folder.path(), fs::perms(0755));
  ASSERT_EQ(::seteuid(65534), 0);
  const auto run = read_run(folder / "run.sightline");
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_TRUE(run.ok()) << run.error().message;
  expect_prefix_of_deltas(run.value(), recorder.written());
}

TEST(Live, CanBeReadWhileAnotherProcessWrites) {
  const TestFolder folder;
  Recorder recorder(folder / "run.sightline");
  recorder.wait_for(1);
  std::uint64_t seen = 0;
  for (int round = 0; round < 30; ++round) {
    const std::uint64_t written = recorder.written();
    const model::Run run = must_read(folder / "run.sightline");
    expect_prefix_of_deltas(run, std::max(written, seen));
    seen = run.totals.steps;
  }
  EXPECT_GT(recorder.written(), 1U);
}

TEST(Live, FinalizeDoesNotDisturbTheRecording) {
  const TestFolder folder;
  Recorder recorder(folder / "run.sightline");
  recorder.wait_for(1);
  for (std::uint64_t round = 1; round <= 10; ++round) {
    EXPECT_TRUE(finalize(folder / "run.sightline").ok());
    EXPECT_TRUE(fs::exists(folder / "run.sightline-wal"));
    recorder.wait_for(round * 3);
  }
  recorder.kill();
  expect_prefix_of_deltas(must_read(folder / "run.sightline"), recorder.written());
}

// A process that reads the run it records must not lose its own locks by it.
TEST(Live, ReadingInTheSameProcessKeepsOthersFromFinalizing) {
  const TestFolder folder;
  auto writer = test::new_writer(folder / "run.sightline");
  ASSERT_TRUE(writer->write(numbered_delta(1)).ok());
  expect_prefix_of_deltas(must_read(folder / "run.sightline"), 1);
  const pid_t other = ::fork();
  if (other == 0) ::_exit(finalize(folder / "run.sightline").ok() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(folder / "run.sightline-wal"));
  ASSERT_TRUE(writer->write(numbered_delta(2)).ok());
  ASSERT_TRUE(writer->finish().ok());
  expect_prefix_of_deltas(must_read(folder / "run.sightline"), 2);
}

TEST(Live, IsBeingRecordedUntilItsProcessIsGone) {
  const TestFolder folder;
  const fs::path run = folder / "run.sightline";
  EXPECT_FALSE(is_being_recorded(run));
  Recorder recorder(run);
  recorder.wait_for(3);
  EXPECT_TRUE(is_being_recorded(run));
  recorder.kill();
  EXPECT_FALSE(is_being_recorded(run));
  expect_prefix_of_deltas(must_read(run), recorder.written());
}

TEST(Live, IsBeingRecordedInThisProcessUntilItIsFinished) {
  const TestFolder folder;
  auto writer = test::new_writer(folder / "run.sightline");
  ASSERT_TRUE(writer->write(numbered_delta(1)).ok());
  EXPECT_TRUE(is_being_recorded(folder / "run.sightline"));
  ASSERT_TRUE(writer->finish().ok());
  EXPECT_FALSE(is_being_recorded(folder / "run.sightline"));
}

TEST(Finalize, SaysThatThereIsNoSuchFile) {
  const TestFolder folder;
  EXPECT_EQ(finalize(folder / "run.sightline").error().kind, ErrorKind::NotFound);
}

TEST(Finalize, DoesNotHideThatTheJournalIsMissing) {
  const TestFolder folder;
  const auto writer = test::new_writer(folder / "run.sightline");
  ASSERT_TRUE(writer->write(test::sample_delta()).ok());
  test::spill(folder / "copy.sightline", *file_text(folder / "run.sightline"));
  EXPECT_TRUE(finalize(folder / "copy.sightline").ok());
  EXPECT_EQ(read_run(folder / "copy.sightline").error().kind, ErrorKind::Corrupt);
}

}  // namespace
}  // namespace sightline::store
