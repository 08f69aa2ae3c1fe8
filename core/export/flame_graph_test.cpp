#include "core/export/flame_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/export/flame_layout.h"
#include "core/export/test_names.h"
#include "core/profile/report/golden_text.h"
#include "core/profile/test_runs.h"

namespace sightline::exports {
namespace {

using model::CostKind;
using profile::RunBuilder;
using testing::HasSubstr;
using testing::Not;

model::Run small_run(const std::string& name) {
  RunBuilder builder;
  builder.run().info.command = "sightline run " + name;
  const auto project = builder.file("src/" + name);
  const auto library = builder.file("torch/linear.py", model::FileRole::Library);
  const auto main = builder.node(0, project, 3, "main");
  const auto linear = builder.node(main, library, 125, "forward");
  builder.cost(linear, CostKind::Forward, 40'000'000, "aten::addmm");
  builder.cost(linear, CostKind::Backward, 50'000'000, "aten::mm");
  builder.cost(main, CostKind::Python, 9'890'000);
  for (std::uint32_t line = 20; line < 31; ++line) {
    builder.cost(builder.node(main, project, line, "tiny"), CostKind::Python, 10'000);
  }
  builder.run().totals.counted_steps = 10;
  return builder.run();
}

// Tags are closed in order, and no mark stands where text does. The whole of XML is left to the
// tests in Python, which has a parser.
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size(); ++at) {
    const auto byte = static_cast<unsigned char>(xml[at]);
    ASSERT_TRUE(byte >= 0x20 || byte == '\n') << "a control character";
    if (xml[at] == '&') {
      const std::string name = xml.substr(at + 1, xml.find(';', at) - at - 1);
      ASSERT_TRUE(name == "lt" || name == "gt" || name == "amp" || name == "quot" || name == "apos")
          << name;
    }
    if (xml[at] != '<') continue;
    const std::size_t end = xml.find('>', at);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end;
  }
  EXPECT_TRUE(open.empty());
}

TEST(FlameGraph, LooksAsItDid) {
  const std::string svg = flame_graph(small_run("train.py"));
  expect_well_formed(svg);
  profile::expect_same_as_golden("flame.svg", svg);
}

TEST(FlameGraph, SaysTimeShareAndLineOfABox) {
  const std::string svg = flame_graph(small_run("train.py"));
  EXPECT_THAT(svg, HasSubstr("<title>main\nsrc/train.py:3\n10.0 ms, 100 %</title>"));
  EXPECT_THAT(svg,
              HasSubstr("<title>aten::addmm\ntorch/linear.py:125\n4.00 ms, 40.0 %</title>"
                        "<rect class=\"box forward\" x=\"10.000\" y=\"128\" width=\"472.000\""));
  EXPECT_THAT(svg, HasSubstr("<title>aten::mm (backward)\ntorch/linear.py:125\n5.00 ms, 50.0 %"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

TEST(FlameGraph, PutsTheSmallestTogether) {
  const model::Run run = small_run("train.py");
  const profile::CallTree tree(run);
  std::size_t small = 0;
  for (const FlameBox& box : lay_out_flames(time_tree(run, tree), tree)) {
    if (box.tint != kTintSmall) continue;
    ++small;
    EXPECT_EQ(box.name, "(11 small)");
    EXPECT_EQ(box.amount, 110'000U);
    EXPECT_EQ(box.start, 90'000'000U) << "behind its siblings";
  }
  EXPECT_EQ(small, 1U);
}

TEST(FlameGraph, BoxesLieWithinTheOneAboveAndNotOnTheirSiblings) {
  const model::Run run = small_run("train.py");
  const profile::CallTree tree(run);
  const std::vector<FlameBox> boxes = lay_out_flames(time_tree(run, tree), tree);
  EXPECT_EQ(boxes[0].amount, 100'000'000U);
  for (const FlameBox& box : boxes) {
    std::size_t above = box.depth == 0 ? 1 : 0;
    for (const FlameBox& other : boxes) {
      const bool apart =
          other.start + other.amount <= box.start || box.start + box.amount <= other.start;
      EXPECT_TRUE(&other == &box || other.depth != box.depth || apart) << box.name;
      const bool around =
          other.start <= box.start && box.start + box.amount <= other.start + other.amount;
      if (other.depth + 1 == box.depth && around) ++above;
    }
    EXPECT_EQ(above, 1U) << box.name;
  }
}

TEST(FlameGraph, IsWellFormedWhateverTheNames) {
  const std::string svg = flame_graph(small_run(hostile_name()));
  expect_well_formed(svg);
  EXPECT_THAT(svg,
              HasSubstr("&lt;/script&gt;&quot;&apos;&amp;amp;,\\x0d\\x0a\\x1b[31m\\x00]]&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("\xEF\xBF\xBF")));
}

TEST(FlameGraph, SaysThatNothingWasTimed) {
  const std::string svg = flame_graph(model::Run());
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("no step of this run counts"));
}

}  // namespace
}  // namespace sightline::exports
