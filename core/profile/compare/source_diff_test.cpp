#include "core/profile/compare/source_diff.h"

#include <gtest/gtest.h>

#include "core/profile/compare/compared_runs.h"

namespace sightline::profile {
namespace {

std::vector<FileDiff> diff_of_nets(const std::string& before, const std::string& after) {
  RunSketch a, b;
  a.net_us = b.net_us = {};
  a.net_text = before;
  b.net_text = after;
  return source_diff(run_of(a), run_of(b));
}

// "12:13" for lines that stand beside each other, "12:" and ":13" for those that stand alone.
std::vector<std::string> rows_in_words(const std::vector<DiffRow>& rows) {
  std::vector<std::string> words;
  const auto number = [](std::uint32_t line) { return line == 0 ? "" : std::to_string(line); };
  for (const DiffRow& row : rows) {
    words.push_back(number(row.before) + ":" + number(row.after) + (row.changed() ? "!" : ""));
  }
  return words;
}

TEST(SourceDiff, IsEmptyForTheSameCode) {
  EXPECT_TRUE(source_diff(run_of({}), run_of({})).empty());
}

TEST(SourceDiff, ShowsChangedNewAndRemovedLinesInTheirPlaces) {
  const auto files = diff_of_nets("one\ngone = soon(1)\nx = f(a, b)\nlast\n",
                                  "one\nx = f(a, c)\nlast\nnew = here(2)\n");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].before, "net.py");
  EXPECT_EQ(files[0].after, "net.py");
  ASSERT_EQ(files[0].parts.size(), 1U);
  EXPECT_EQ(rows_in_words(files[0].parts[0]),
            (std::vector<std::string>{"1:1", "2:!", "3:2!", "4:3", ":4!"}));
  EXPECT_EQ(files[0].parts[0][2].before_text, "x = f(a, b)");
  EXPECT_EQ(files[0].parts[0][2].after_text, "x = f(a, c)");
}

TEST(SourceDiff, LeavesOutWhatIsFarFromAChange) {
  std::string before, after;
  for (int line = 1; line <= 40; ++line) {
    before += "line " + std::to_string(line) + "\n";
    if (line == 10 || line == 12 || line == 30)
      after += "entirely_different(" + std::to_string(line) + ")\n";
    after += "line " + std::to_string(line) + "\r\n";
  }
  const auto files = diff_of_nets(before, after);
  ASSERT_EQ(files.size(), 1U);
  ASSERT_EQ(files[0].parts.size(), 2U);
  EXPECT_EQ(rows_in_words(files[0].parts[0]),
            (std::vector<std::string>{"7:7", "8:8", "9:9", ":10!", "10:11", "11:12", ":13!",
                                      "12:14", "13:15", "14:16"}));
  EXPECT_EQ(
      rows_in_words(files[0].parts[1]),
      (std::vector<std::string>{"27:29", "28:30", "29:31", ":32!", "30:33", "31:34", "32:35"}));
}

TEST(SourceDiff, StopsSomewhere) {
  std::string before, after;
  for (int line = 0; line < 5000; ++line) {
    before += "a" + std::to_string(line) + "\n";
    after += "b" + std::to_string(line) + "\n";
  }
  const auto files = diff_of_nets(before, after);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_TRUE(files[0].cut);
}

TEST(SourceDiff, IsValidJsonWhateverTheCodeIs) {
  const auto files = diff_of_nets("a\xFF\n", "b</script>\n");
  const auto json = source_diff_json(files);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_NO_THROW(static_cast<void>(json.dump()));
  EXPECT_EQ(json[0]["parts"][0][0]["before"], "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace sightline::profile
