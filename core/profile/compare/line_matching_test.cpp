#include "core/profile/compare/line_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "core/profile/compare/line_likeness.h"
#include "core/profile/compare/shortest_edit.h"
#include "core/profile/source_lines.h"

namespace sightline::profile {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> mapping(const std::string& before, const std::string& after) {
  const LineMap map = match_lines(before, after);
  std::vector<std::uint32_t> lines;
  for (std::uint32_t line = 1; line <= lines_of(before).size(); ++line) {
    lines.push_back(map.after(line));
  }
  return lines;
}

TEST(LineMatching, FollowsLinesPastWhatWasPutInAboveThem) {
  EXPECT_THAT(mapping("a\nb\nc\n", "new\nnew\na\nb\nnew\nc\n"), ElementsAre(3, 4, 6));
  EXPECT_THAT(mapping("a\nb\nc\n", "c\n"), ElementsAre(0, 0, 1));
  EXPECT_THAT(mapping("a\n", ""), ElementsAre(0));
  EXPECT_THAT(mapping("a\nb", "a\nb"), ElementsAre(1, 2));
}

TEST(LineMatching, IgnoresWhiteSpaceAroundALine) {
  EXPECT_THAT(
      mapping("y = f(x)\nz = g(y)\n", "with torch.no_grad():\r\n    y = f(x)\r\n\tz = g(y)"),
      ElementsAre(2, 3));
}

TEST(LineMatching, PairsALineWithWhatItBecame) {
  EXPECT_THAT(mapping("def f(x):\n    out = self.conv(x)\n    return out\n",
                      "def f(x):\n    # a\n    # b\n    y = self.conv(x)\n    return y\n"),
              ElementsAre(1, 4, 5));
  EXPECT_THAT(mapping("a\nloss.backward()\nb\n", "a\nprint('done', flush=True)\nb\n"),
              ElementsAre(1, 0, 3))
      << "the lines have little in common";
}

TEST(LineMatching, LeavesALineThatMovedPastOthersAlone) {
  const std::vector<std::uint32_t> lines = mapping("a\nb\nc\nd\n", "d\na\nb\nc\n");
  EXPECT_THAT(lines, ElementsAre(2, 3, 4, 0));
}

TEST(LineMatching, CallsLinesAlikeByTheWordsTheyShare) {
  EXPECT_DOUBLE_EQ(likeness("", ""), 0.0);
  EXPECT_DOUBLE_EQ(likeness("f(x)", " f( x ) "), 1.0);
  EXPECT_DOUBLE_EQ(likeness("ab cd", "cd ef"), 0.5);
  EXPECT_DOUBLE_EQ(likeness("a a a", "a"), 0.5) << "a word counts as often as both have it";
  EXPECT_GT(likeness("y = torch.mm(a, b)", "for _ in range(4): y = torch.mm(a, b)"), kAlike);
}

// The length of the longest common subsequence, by the book.
std::size_t longest_common(const std::vector<std::uint32_t>& a,
                           const std::vector<std::uint32_t>& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      best[i + 1][j + 1] = a[i] == b[j] ? best[i][j] + 1 : std::max(best[i][j + 1], best[i + 1][j]);
    }
  }
  return best[a.size()][b.size()];
}

TEST(LineMatching, FindsTheShortestEdit) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint32_t> a(random() % 20), b(random() % 20);
    for (auto& line : a) line = random() % 4;
    for (auto& line : b) line = random() % 4;
    std::int64_t work = 100'000;
    const auto pairs = common_lines({a.data(), static_cast<std::int64_t>(a.size())},
                                    {b.data(), static_cast<std::int64_t>(b.size())}, work);
    EXPECT_EQ(pairs.size(), longest_common(a, b));
    std::int64_t last_a = -1, last_b = -1;
    for (const auto& [in_a, in_b] : pairs) {
      ASSERT_GT(in_a, last_a);
      ASSERT_GT(in_b, last_b);
      EXPECT_EQ(a[static_cast<std::size_t>(in_a)], b[static_cast<std::size_t>(in_b)]);
      last_a = in_a, last_b = in_b;
    }
  }
}

struct Edited {
  std::string before, after;
  std::vector<std::uint32_t> truth;  // by line before: the line after, 0 if it was changed
};

// A text of lines that occur once among others that do not, with lines removed, put in and
// rewritten at random.
Edited edit_at_random(std::mt19937& random) {
  Edited edited;
  std::uint32_t line_after = 0;
  const std::size_t lines = 1 + random() % 120;
  const auto put_in = [&](const std::string& line) {
    edited.after += line + "\n";
    ++line_after;
  };
  for (std::size_t at = 0; at < lines; ++at) {
    const bool common = random() % 3 == 0;
    const std::string line =
        common ? (random() % 2 == 0 ? "" : "return x") : "unique_" + std::to_string(at);
    edited.before += line + "\n";
    const auto what = random() % 10;
    if (what == 0) put_in("fresh_" + std::to_string(random()));
    if (what == 1 || what == 2) {
      if (what == 1) put_in("rewritten_" + std::to_string(random()));
      edited.truth.push_back(0);
      continue;
    }
    put_in(line);
    edited.truth.push_back(common ? 0 : line_after);
  }
  return edited;
}

TEST(LineMatching, NeverCrossesAndFindsEveryUnchangedLineWhateverTheEdit) {
  std::mt19937 random(20);
  for (int round = 0; round < 300; ++round) {
    const Edited edited = edit_at_random(random);
    const std::vector<std::uint32_t> found = mapping(edited.before, edited.after);
    const std::size_t lines_after = lines_of(edited.after).size();
    std::uint32_t last = 0;
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (found[at] != 0) {
        ASSERT_GT(found[at], last);
        ASSERT_LE(found[at], lines_after);
        last = found[at];
      }
      if (edited.truth[at] != 0) {
        ASSERT_EQ(found[at], edited.truth[at]) << edited.before << "---\n" << edited.after;
      }
    }
  }
}

TEST(LineMatching, StaysQuickOnTextsThatAreHugeOrNoText) {
  std::mt19937 random(3);
  std::string same_lines, noise, other_noise;
  for (int line = 0; line < 60'000; ++line) same_lines += random() % 2 == 0 ? "a\n" : "b\n";
  for (int byte = 0; byte < 2'000'000; ++byte) {
    noise.push_back(static_cast<char>(random()));
    other_noise.push_back(static_cast<char>(random()));
  }
  const std::string long_line(3'000'000, 'x');
  const auto start = std::chrono::steady_clock::now();
  match_lines(same_lines, "b\n" + std::string(same_lines.rbegin(), same_lines.rend()));
  match_lines(noise, other_noise);
  match_lines(long_line, long_line + "\ny");
  EXPECT_EQ(match_lines(same_lines, same_lines + "more\n").after(60'000), 60'000U);
  // Without limits this takes hours; with them a second, and more under sanitizers.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace sightline::profile
