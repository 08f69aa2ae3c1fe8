#include "core/store/place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/store/single_file.h"
#include "core/store/test_support.h"

namespace sightline::store {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

const WriterOptions kElsewhere{.record_elsewhere = true};

TEST(Place, KnowsNetworkFileSystems) {
  EXPECT_TRUE(is_network_file_system(0x6969));       // NFS
  EXPECT_TRUE(is_network_file_system(0xFF534D42));   // CIFS
  EXPECT_TRUE(is_network_file_system(0x01021997));   // 9p
  EXPECT_FALSE(is_network_file_system(0xEF53));      // ext4
  EXPECT_FALSE(is_network_file_system(0x01021994));  // tmpfs
}

TEST(Place, TemporaryFoldersGoAwayWithWhatTheyHold) {
  fs::path path;
  {
    auto folder = TemporaryFolder::create();
    ASSERT_TRUE(folder.ok());
    path = folder->path();
    test::spill(path / "x", "y");
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(Place, SignpostsThatLeadToEachOtherLeadToNoRecording) {
  const TestFolder folder;
  fs::create_directory(folder / "sightline-abc");
  const fs::path one = folder / "sightline-abc" / "one.sightline";
  const fs::path other = folder / "sightline-abc" / "other.sightline";
  test::spill(one, Signpost{host_name(), other}.text());
  test::spill(other, Signpost{host_name(), one}.text());
  EXPECT_FALSE(is_being_recorded(one));
}

TEST(Place, SignpostsAreReadBack) {
  const Signpost signpost{"box", "/tmp/sightline-abc/run.sightline"};
  const auto parsed = Signpost::parse(signpost.text());
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->host, signpost.host);
  EXPECT_EQ(parsed->recording, signpost.recording);
  EXPECT_FALSE(Signpost::parse("hello").has_value());
  EXPECT_FALSE(Signpost::parse(signpost.text().substr(0, 120)).has_value());
}

TEST(RecordingElsewhere, CanBeReadInItsPlaceFromTheBeginning) {
  const TestFolder folder;
  auto writer = test::new_writer(folder / "run.sightline", kElsewhere);
  EXPECT_TRUE(writer->records_elsewhere());
  EXPECT_NE(writer->path(), writer->final_path());
  ASSERT_TRUE(writer->write(test::sample_delta()).ok());
  EXPECT_EQ(test::must_read(folder / "run.sightline").totals.steps, 6U);
}

TEST(RecordingElsewhere, EndsInItsPlaceAndLeavesNothingBehind) {
  const TestFolder folder;
  auto writer = test::new_writer(folder / "run.sightline", kElsewhere);
  const fs::path recording = writer->path();
  ASSERT_TRUE(writer->write(test::sample_delta()).ok());
  ASSERT_TRUE(writer->finish().ok());
  EXPECT_TRUE(test::must_read(folder / "run.sightline").info.finished);
  EXPECT_FALSE(fs::exists(recording.parent_path()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(RecordingElsewhere, IsBroughtToItsPlaceAfterTheProcessWasKilled) {
  const TestFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    auto writer = RunWriter::create(folder / "run.sightline", test::sample_info(), kElsewhere);
    const bool written = writer.ok() && writer.value()->write(test::sample_delta()).ok();
    ::_exit(written ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const fs::path recording = Signpost::parse(*file_text(folder / "run.sightline"))->recording;
  EXPECT_EQ(test::must_read(folder / "run.sightline").totals.steps, 6U);
  const auto finalized = finalize(folder / "run.sightline");
  ASSERT_TRUE(finalized.ok()) << finalized.error().message;
  EXPECT_EQ(file_text(folder / "run.sightline")->substr(0, 6), "SQLite");
  EXPECT_EQ(test::must_read(folder / "run.sightline").totals.steps, 6U);
  EXPECT_FALSE(fs::exists(recording.parent_path()));
}

TEST(RecordingElsewhere, SaysWhereTheRecordingIsIfThatIsNotHere) {
  const TestFolder folder;
  const Signpost signpost{"another-box", "/tmp/sightline-abc/run.sightline"};
  test::spill(folder / "run.sightline", signpost.text());
  const auto run = read_run(folder / "run.sightline");
  ASSERT_FALSE(run.ok());
  EXPECT_THAT(run.error().message, HasSubstr("another-box"));
  EXPECT_THAT(run.error().message, HasSubstr("/tmp/sightline-abc/run.sightline"));
  EXPECT_TRUE(finalize(folder / "run.sightline").ok());
}

}  // namespace
}  // namespace sightline::store
