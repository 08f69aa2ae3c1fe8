#include "cli/import_way.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/test_folder.h"

namespace sightline::cli {
namespace {

using testing::ElementsAre;

class ImportWayTest : public testing::Test {
 protected:
  // As "module" or "module @ folder".
  std::vector<std::string> ways(const std::string& file,
                                const std::string& entry = "entry_point.py") const {
    const std::filesystem::path root = folder_.path();
    std::vector<std::string> texts;
    for (const ImportWay& way : import_ways(root / file, root / entry, root)) {
      std::string text = way.module;
      if (!way.folder.empty()) text += " @ " + way.folder.lexically_relative(root).string();
      texts.push_back(text);
    }
    return texts;
  }

  TestFolder folder_;
};

TEST_F(ImportWayTest, AFileBesideTheEntryPointHasItsOwnName) {
  EXPECT_THAT(ways("model.py"), ElementsAre("model"));
  EXPECT_THAT(ways("nets/model.py", "nets/entry.py"), ElementsAre("model"));
}

TEST_F(ImportWayTest, AFileBelowTheRootIsNamedFromThere) {
  EXPECT_THAT(ways("nets/small/model.py"), ElementsAre("nets.small.model", "model @ nets/small"));
}

TEST_F(ImportWayTest, AFolderThatIsNoNameIsAddedToTheSearchPath) {
  EXPECT_THAT(ways("my-nets/model.py"), ElementsAre("model @ my-nets"));
  EXPECT_THAT(ways("class/model.py"), ElementsAre("model @ class"));
}

TEST_F(ImportWayTest, AFileOfAPackageIsNamedFromTheOutermostOne) {
  folder_.file("src/nets/__init__.py", "");
  folder_.file("src/nets/small/__init__.py", "");
  EXPECT_THAT(ways("src/nets/small/model.py"),
              ElementsAre("nets.small.model", "nets.small.model @ src"));
}

TEST_F(ImportWayTest, AFileWhoseNameIsNoNameCannotBeImported) {
  EXPECT_THAT(ways("my-model.py"), ElementsAre());
  EXPECT_THAT(ways("nets/3d.py"), ElementsAre());
  EXPECT_THAT(ways("import.py"), ElementsAre());
}

}  // namespace
}  // namespace sightline::cli
