#include "server/relevant_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/test_folder.h"

namespace sightline::server {
namespace {

TEST(RelevantFiles, ArePythonSettingsSourcesAndData) {
  for (const char* name :
       {"model.py", "config.yaml", "a.yml", "b.json", "c.toml", "d.ini", "e.cfg", "op.cpp", "op.cu",
        "op.cuh", "op.h", "vocabulary.txt", "train.csv", "train.tsv", "prompts.jsonl"}) {
    EXPECT_TRUE(is_relevant(name)) << name;
  }
  for (const char* name : {"notes.md", "train.log", "weights.pt", "model.pyc", "py", ".py"}) {
    EXPECT_FALSE(is_relevant(name)) << name;
  }
}

TEST(RelevantFiles, AreNotWhatEditorsLeaveWhileTheySave) {
  for (const char* name : {".model.py.swp", "model.py~", ".#model.py", "#model.py#", "4913"}) {
    EXPECT_FALSE(is_relevant(name)) << name;
  }
}

TEST(ForeignFolders, AreHiddenOnesCachesAndEnvironments) {
  for (const char* name : {".git", ".venv", "__pycache__", "node_modules", "net.egg-info"}) {
    EXPECT_TRUE(is_foreign_folder(name)) << name;
  }
  for (const char* name : {"env", "venv", "build", "model"}) {
    EXPECT_FALSE(is_foreign_folder(name)) << name;
  }
}

TEST(ForeignFolders, AreEnvironmentsWhateverTheirName) {
  const TestFolder folder;
  EXPECT_FALSE(is_foreign_folder(folder.path()));
  std::ofstream(folder.path() / "pyvenv.cfg") << "home = /usr";
  EXPECT_TRUE(is_foreign_folder(folder.path()));
}

}  // namespace
}  // namespace sightline::server
