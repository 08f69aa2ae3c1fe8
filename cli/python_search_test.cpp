#include "cli/python_search.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "core/base/test_folder.h"

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

class PythonSearchTest : public testing::Test {
 protected:
  fs::path program(const std::string& name) { return folder_.program(name, "#!/bin/sh\n"); }

  std::string found(const std::string& wanted = "") {
    PythonSearch search;
    search.wanted = wanted;
    search.program = folder_.path() / "tool/bin/sightline";
    search.variable = [this](const char* name) -> std::optional<std::string> {
      const auto it = variables_.find(name);
      if (it == variables_.end()) return std::nullopt;
      return it->second;
    };
    const Result<FoundPython> python = find_python(search);
    if (!python) return "error: " + python.error().message;
    return fs::relative(python->path, folder_.path()).string();
  }

  TestFolder folder_;
  std::map<std::string, std::string> variables_;
};

TEST_F(PythonSearchTest, LooksInTheDocumentedOrder) {
  const std::string root = folder_.path().string();
  EXPECT_TRUE(found().starts_with("error: no Python was found"));
  program("second/python");
  program("first/python3");
  variables_["PATH"] = root + "/none::" + root + "/first:" + root + "/second";
  EXPECT_EQ(found(), "first/python3");
  program("tool/bin/python");
  EXPECT_EQ(found(), "tool/bin/python");
  variables_["CONDA_PREFIX"] = root + "/conda";
  EXPECT_EQ(found(), "tool/bin/python") << "an environment without Python is passed over";
  program("conda/bin/python");
  EXPECT_EQ(found(), "conda/bin/python");
  program("venv/bin/python");
  variables_["VIRTUAL_ENV"] = root + "/venv";
  EXPECT_EQ(found(), "venv/bin/python");
}

TEST_F(PythonSearchTest, TakesTheWantedOneOrNone) {
  const std::string root = folder_.path().string();
  program("venv/bin/python");
  program("path/python3.12");
  variables_["VIRTUAL_ENV"] = root + "/venv";
  variables_["PATH"] = root + "/path";
  EXPECT_EQ(found("python3.12"), "path/python3.12");
  EXPECT_EQ(found(root + "/path/python3.12"), "path/python3.12");
  EXPECT_EQ(found(root + "/venv"), "venv/bin/python") << "the folder of an environment will do";
  EXPECT_EQ(found("python9"), "error: --python python9 is no program that can be run");
  std::ofstream(folder_.path() / "text") << "not a program";
  EXPECT_TRUE(found(root + "/text").starts_with("error: "));
}

}  // namespace
}  // namespace sightline::cli
