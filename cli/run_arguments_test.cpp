#include "cli/run_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RunArguments divide(const std::vector<std::string>& arguments) {
  return divide_run_arguments(arguments, [](std::string_view name) {
    return name == "-o" || name == "--root" || name == "--include";
  });
}

TEST(RunArguments, EverythingAfterTheScriptIsTheScripts) {
  const RunArguments divided =
      divide({"-o", "a.sightline", "--force", "train.py", "-o", "x", "--force", "--", "-m", "y"});
  EXPECT_THAT(divided.ours, ElementsAre("-o", "a.sightline", "--force"));
  EXPECT_EQ(divided.target, "train.py");
  EXPECT_FALSE(divided.module);
  EXPECT_THAT(divided.script_arguments, ElementsAre("-o", "x", "--force", "--", "-m", "y"));
}

TEST(RunArguments, KnowModulesInBothForms) {
  for (const std::vector<std::string>& form :
       {std::vector<std::string>{"-m", "my.train"}, std::vector<std::string>{"-mmy.train"}}) {
    std::vector<std::string> arguments = {"--root", "-m"};  // a value that looks like an option
    arguments.insert(arguments.end(), form.begin(), form.end());
    arguments.insert(arguments.end(), {"--help", ""});
    const RunArguments divided = divide(arguments);
    EXPECT_THAT(divided.ours, ElementsAre("--root", "-m"));
    EXPECT_EQ(divided.target, "my.train");
    EXPECT_TRUE(divided.module);
    EXPECT_THAT(divided.script_arguments, ElementsAre("--help", ""));
  }
}

TEST(RunArguments, TakeAScriptWithADashAfterTwoDashes) {
  const RunArguments divided = divide({"--include=timm", "--", "-odd.py", "1"});
  EXPECT_THAT(divided.ours, ElementsAre("--include=timm"));
  EXPECT_EQ(divided.target, "-odd.py");
  EXPECT_THAT(divided.script_arguments, ElementsAre("1"));
}

TEST(RunArguments, NoticeThatThereIsNoScript) {
  EXPECT_EQ(divide({}).target, "");
  EXPECT_EQ(divide({"-o", "x"}).target, "");
  EXPECT_TRUE(divide({"-m"}).module);
  EXPECT_EQ(divide({"-m"}).target, "");
  EXPECT_THAT(divide({"-o"}).script_arguments, IsEmpty());
}

}  // namespace
}  // namespace sightline::cli
