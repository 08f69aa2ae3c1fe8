#include "server/http/source_path.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

class SourcePath : public testing::Test {
 protected:
  SourcePath() {
    home_.file("root/model.py", "model");
    home_.file("root/nets/block.py", "block");
    home_.file("root-secret/key", "secret");
    home_.file("secret", "secret");
  }
  Result<std::string> read(std::string_view relative) const { return read_below(root(), relative); }
  fs::path root() const { return home_ / "root"; }
  void link(const fs::path& target, const std::string& name) const {
    fs::create_symlink(target, root() / name);
  }

  TestFolder home_;
};

TEST_F(SourcePath, ReadsWhatLiesBelowTheRoot) {
  EXPECT_EQ(read("model.py").value(), "model");
  EXPECT_EQ(read("nets/block.py").value(), "block");
}

TEST_F(SourcePath, MayHaveARootThatIsALink) {
  fs::create_symlink(root(), home_ / "link");
  EXPECT_EQ(read_below(home_ / "link", "nets/block.py").value(), "block");
  EXPECT_EQ(read_below(home_.path() / "link/", "nets/block.py").value(), "block");
  EXPECT_FALSE(read_below(home_ / "link", "../secret").ok());
}

TEST_F(SourcePath, RefusesNamesThatAreNotPlain) {
  for (const std::string name :
       {"", "/", "..", ".", "../secret", "nets/../model.py", "./model.py", "nets/..",
        "nets/../../secret", "/etc/passwd", "//etc/passwd", "nets//block.py", "nets/", "..\\secret",
        "nets\\block.py", "a\nb", "a\x7f"}) {
    const auto text = read(name);
    ASSERT_FALSE(text.ok()) << name;
    EXPECT_EQ(text.error().kind, ErrorKind::InvalidArgument) << name;
  }
  EXPECT_FALSE(read(std::string_view("model.py\0.txt", 13)).ok());
  EXPECT_FALSE(read(home_.path().string() + "/root/model.py").ok());
}

TEST_F(SourcePath, DoesNotDecodeNames) {
  for (const std::string name : {"%2e%2e/secret", "%252e%252e/secret", "..%2fsecret"}) {
    EXPECT_EQ(read(name).error().kind, ErrorKind::NotFound) << name;
  }
}

TEST_F(SourcePath, FollowsLinksThatStayInside) {
  link("model.py", "near.py");
  link(root() / "model.py", "absolute.py");
  link("nets", "folder");
  link("../root/model.py", "around.py");
  EXPECT_EQ(read("near.py").value(), "model");
  EXPECT_EQ(read("absolute.py").value(), "model");
  EXPECT_EQ(read("folder/block.py").value(), "block");
  EXPECT_EQ(read("around.py").value(), "model");
}

TEST_F(SourcePath, RefusesLinksThatLeadOut) {
  link("../secret", "a.py");
  link(home_ / "secret", "b.py");
  link("../root-secret/key", "c.py");
  link(home_ / "root-secret", "sibling");
  link("/", "everything");
  link("a.py", "twice.py");
  link("loop.py", "loop.py");
  link("/proc/self/environ", "environ");
  for (const std::string name : {"a.py", "b.py", "c.py", "sibling/key", "everything/etc/passwd",
                                 "twice.py", "loop.py", "environ"}) {
    EXPECT_EQ(read(name).error().kind, ErrorKind::NotFound) << name;
  }
}

TEST_F(SourcePath, TellsNobodyWhetherAFileOutsideExists) {
  link("../secret", "there.py");
  link("../nothing", "gone.py");
  EXPECT_EQ(read("there.py").error().kind, read("gone.py").error().kind);
}

TEST_F(SourcePath, ReadsRegularFilesOnlyAndDoesNotWait) {
  ASSERT_EQ(mkfifo((root() / "pipe.py").c_str(), 0600), 0);
  link("/dev/zero", "zero.py");
  for (const std::string name : {"pipe.py", "zero.py", "nets", "nets/none.py", "model.py/x"}) {
    EXPECT_EQ(read(name).error().kind, ErrorKind::NotFound) << name;
  }
}

TEST_F(SourcePath, RefusesFilesThatAreTooLarge) {
  home_.file("root/large.py", std::string(100'001, 'x'));
  EXPECT_EQ(read_below(root(), "large.py", 100'000).error().kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(read_below(root(), "large.py", 100'001).value().size(), 100'001U);
  home_.file("root/empty.py", "");
  EXPECT_EQ(read("empty.py").value(), "");
}

TEST_F(SourcePath, FailsWithoutARoot) { EXPECT_FALSE(read_below(home_ / "none", "model.py").ok()); }

TEST_F(SourcePath, HoldsWhileALinkIsSwapped) {
  home_.file("root/real/key", "inside");
  std::atomic<bool> done = false;
  std::thread swapping([&] {
    while (!done) {
      std::error_code ignored;
      fs::rename(root() / "real", root() / "kept", ignored);
      fs::create_directory_symlink(home_ / "root-secret", root() / "real", ignored);
      fs::remove(root() / "real", ignored);
      fs::rename(root() / "kept", root() / "real", ignored);
    }
  });
  int inside = 0;
  for (int count = 0; count < 3'000; ++count) {
    const auto text = read("real/key");
    if (text) {
      EXPECT_EQ(text.value(), "inside");
      ++inside;
    }
  }
  done = true;
  swapping.join();
  EXPECT_GT(inside, 0);
}

}  // namespace
}  // namespace sightline::server
