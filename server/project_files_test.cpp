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

TEST_F(ProjectFilesTest, LeaveOutWhatIsForeign) {
  write("train.py", "x");
  files_.scan();
  const std::string before = files_.key();
  write(".git/a.py", "x");
  write("__pycache__/b.py", "x");
  files_.scan();
  EXPECT_EQ(files_.key(), before);
}

// Looks at everything in both ways.
std::string key_now(ProjectFiles& files, const std::vector<std::string>& paths) {
  files.look_at(paths);
  files.scan();
  return files.key();
}

TEST_F(ProjectFilesTest, AreNoNewsWhereTheCodeItselfWroteThem) {
  write("known.json", "1");
  write("gone.json", "1");
  files_.scan();
  const std::string before = files_.key();
  for (const char* path : {"known.json", "gone.json", "new.json", "logs/"}) {
    files_.add_own_output(path);
  }
  write("known.json", "written");
  write("new.json", "written");
  write("logs/version_3/hparams.yaml", "written");
  fs::remove(folder_.path() / "gone.json");
  files_.overlook_own_output();
  EXPECT_EQ(key_now(files_, {"known.json", "gone.json", "new.json", "logs"}), before);
}

TEST_F(ProjectFilesTest, AreNewsWhenSomebodyElseWritesWhatTheCodeWroteToo) {
  for (const char* path : {"known.json", "logs/"}) files_.add_own_output(path);
  write("known.json", "1");
  write("logs/new.json", "written");
  files_.overlook_own_output();
  std::string before = files_.key();
  for (const char* path : {"known.json", "logs/new.json", "other.json"}) {
    write(path, "saved by hand");
    const std::string after = key_now(files_, {path});
    EXPECT_NE(after, before) << path;
    before = after;
  }
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
