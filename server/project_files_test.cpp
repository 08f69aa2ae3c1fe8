#include "server/project_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class ProjectFilesTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
  }

  TestFolder folder_;
  ProjectFiles files_{folder_.path()};
};

TEST_F(ProjectFilesTest, HaveTheSameKeyWhenTheySayTheSame) {
  write("a.py", "one");
  files_.scan();
  const std::string before = files_.key();
  write("a.py", "two");
  files_.look_at({"a.py"});
  EXPECT_NE(files_.key(), before);
  write("a.py", "one");
  files_.look_at({"a.py"});
  EXPECT_EQ(files_.key(), before);
}

TEST_F(ProjectFilesTest, HaveAnotherKeyWhenATextChangesItsFile) {
  write("a.py", "text");
  write("b.py", "");
  files_.scan();
  const std::string before = files_.key();
  write("a.py", "");
  write("b.py", "text");
  files_.look_at({"a.py", "b.py"});
  EXPECT_NE(files_.key(), before);
}

TEST_F(ProjectFilesTest, AreFoundInNewFoldersAndForgottenWithThem) {
  files_.scan();
  const std::string before = files_.key();
  write("nets/deep/block.py", "x");
  files_.look_at({"nets"});
  EXPECT_THAT(files_.python_files(), ElementsAre("nets/deep/block.py"));
  fs::remove_all(folder_.path() / "nets");
  files_.look_at({"nets"});
  EXPECT_EQ(files_.key(), before);
}

TEST_F(ProjectFilesTest, AreComparedByAScanToo) {
  write("a.py", "one");
  write("b.py", "one");
  files_.scan();
  fs::remove(folder_.path() / "b.py");
  write("a.py", "another text");
  files_.scan();
  EXPECT_THAT(files_.python_files(), ElementsAre("a.py"));
  ProjectFiles fresh(folder_.path());
  fresh.scan();
  EXPECT_EQ(files_.key(), fresh.key());
}

TEST_F(ProjectFilesTest, LeaveOutWhatIsForeignOrDisregarded) {
  write(".git/a.py", "x");
  write("__pycache__/b.py", "x");
  write("log.json", "1");
  write("train.py", "x");
  files_.disregard("log.json");
  files_.scan();
  const std::string before = files_.key();
  write("log.json", "2");
  write(".git/a.py", "y");
  files_.scan();
  EXPECT_EQ(files_.key(), before);
  EXPECT_FALSE(files_.is_relevant_path("log.json"));
  EXPECT_TRUE(files_.is_relevant_path("train.py"));
}

TEST_F(ProjectFilesTest, AreNotThoseOfAnEnvironmentThatIsBeingMade) {
  write("fresh/lib/a.py", "x");
  files_.look_at({"fresh"});
  write("fresh/pyvenv.cfg", "");
  files_.look_at({"fresh/pyvenv.cfg"});
  EXPECT_THAT(files_.python_files(), ElementsAre());
}

TEST_F(ProjectFilesTest, DoNotFollowLinksToFolders) {
  write("nets/a.py", "x");
  fs::create_directory_symlink(folder_.path(), folder_.path() / "nets" / "again");
  files_.scan();
  EXPECT_THAT(files_.python_files(), ElementsAre("nets/a.py"));
}

}  // namespace
}  // namespace sightline::server
