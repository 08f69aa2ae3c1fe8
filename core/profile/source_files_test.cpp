#include "core/profile/source_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::profile {
namespace {

using model::FileRole;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char kCell[] = "/tmp/ipykernel_12/345.py";

SourceOptions options(bool keep_source = true) {
  SourceOptions options;
  options.root = "/project";
  options.keep_source = keep_source;
  return options;
}

model::Delta delta_of(const std::vector<std::string>& names) {
  model::Delta delta;
  for (const std::string& name : names) {
    model::File file;
    file.id = static_cast<model::FileId>(delta.files.size() + 1);
    file.absolute_path = name;
    delta.files.push_back(file);
  }
  return delta;
}

TEST(SourceFiles, TypedCodeIsTheProjects) {
  for (const char* name : {"<stdin>", "<python-input-3>", "<ipython-input-3-0a1b>", kCell}) {
    const SourceFiles files(options());
    model::File file = delta_of({name}).files.front();
    files.describe(file);
    EXPECT_EQ(file.role, FileRole::Project) << name;
  }
}

TEST(SourceFiles, CodeWithoutAFileGetsTheTextItIsGivenLater) {
  SourceFiles files(options());
  model::Delta first = delta_of({kCell, "<generated>", "/elsewhere/library.py", "<\xff>"});
  files.complete(first);
  EXPECT_THAT(first.sources, IsEmpty());
  EXPECT_THAT(files.names_without_text(), ElementsAre(kCell, "<generated>"));

  model::Delta last;
  files.add_texts({{kCell, "x = 1\n"}, {"/elsewhere/library.py", "y = 2\n"}}, last);
  ASSERT_EQ(last.files.size(), 1U);
  EXPECT_EQ(last.files[0].id, first.files[0].id);
  EXPECT_EQ(last.files[0].path, "345.py");
  ASSERT_EQ(last.sources.size(), 1U);
  EXPECT_EQ(last.sources[0].text, "x = 1\n");
  EXPECT_EQ(last.sources[0].hash, last.files[0].source_hash);
}

TEST(SourceFiles, NoTextIsAskedForWhereNoneIsKept) {
  SourceFiles files(options(false));
  model::Delta delta = delta_of({kCell, "<generated>"});
  files.complete(delta);
  EXPECT_THAT(files.names_without_text(), IsEmpty());
}

}  // namespace
}  // namespace sightline::profile
