#include "core/export/event_writer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace sightline::exports {
namespace {

class EventWriterTest : public testing::Test {
 protected:
  ~EventWriterTest() override { std::filesystem::remove_all(folder_); }

  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("sightline-events-" + std::to_string(getpid()));
};

TEST_F(EventWriterTest, WritesWhatWasAdded) {
  auto writer = EventWriter::open(folder_ / "deep" / "er");
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->add_scalar("loss", 3, 0.5).ok());
  ASSERT_TRUE(writer->flush().ok());
  const std::string first = bytes_of(writer->path());
  EXPECT_NE(first.find("brain.Event:2"), std::string::npos);
  EXPECT_NE(first.find("loss"), std::string::npos);
  ASSERT_TRUE(writer->add_histogram("weights", 4, {0, 1, 2}, {5, 6}).ok());
  ASSERT_TRUE(writer->flush().ok());
  const std::string second = bytes_of(writer->path());
  EXPECT_EQ(second.substr(0, first.size()), first);
  EXPECT_NE(second.find("weights"), std::string::npos);
}

TEST_F(EventWriterTest, EachHasAFileOfItsOwn) {
  const auto a = EventWriter::open(folder_);
  const auto b = EventWriter::open(folder_);
  ASSERT_TRUE(a.ok());
  ASSERT_TRUE(b.ok());
  EXPECT_NE(a->path(), b->path());
}

TEST_F(EventWriterTest, AFolderThatCannotBeMadeIsTold) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  const auto writer = EventWriter::open(folder_ / "file");
  ASSERT_FALSE(writer.ok());
  EXPECT_NE(writer.error().message.find("file"), std::string::npos);
}

TEST_F(EventWriterTest, AForkedChildWritesNothing) {
  auto writer = EventWriter::open(folder_);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->add_scalar("loss", 0, 1).ok());
  const pid_t child = fork();
  if (child == 0) _exit(writer->flush().ok() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(bytes_of(writer->path()).empty());
}

}  // namespace
}  // namespace sightline::exports
