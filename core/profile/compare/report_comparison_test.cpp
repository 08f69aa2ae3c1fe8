#include "core/profile/compare/report_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/profile/compare/compared_runs.h"
#include "core/profile/compare/comparison_json.h"
#include "core/profile/report/golden_text.h"
#include "core/profile/report/safe_text.h"

namespace sightline::profile {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

// One line slower and rewritten, one added, one removed, more memory.
Comparison changed() {
  RunSketch before, after;
  before.train_text += "    log_histograms(model)\n";
  before.train_us["log_histograms("] = 900;
  after.net_text =
      "class Net(nn.Module):\n"
      "    # twice, to be sure\n"
      "    def forward(self, x):\n"
      "        pixels = self.features(self.features(x))\n"
      "        return self.head(pixels.flatten(1))\n";
  after.train_text += "    ema.update()\n";
  after.train_us["ema.update("] = 400;
  after.net_us = {{"features(", 11500}, {"head(", 2000}};
  after.activation_bytes = 9 << 20;
  return compare(run_of(before), run_of(after));
}

TextOptions options_for(const std::string& after) { return {.run_path = after}; }

std::string render(const Comparison& comparison, const TextOptions& options) {
  return render_comparison(comparison, "runs/before.sightline", options);
}

TEST(ReportComparison, TellsWhatChanged) {
  expect_same_as_golden("compare/changed.txt",
                        render(changed(), options_for("runs/after.sightline")));
}

TEST(ReportComparison, SaysThatNothingChanged) {
  expect_same_as_golden("compare/same.txt",
                        render(compare(run_of({}), run_of({})), options_for("b.sightline")));
}

TEST(ReportComparison, SaysFirstWhatElseDiffers) {
  RunSketch after;
  after.batch_size = 64;
  after.net_us["features("] = 9000;
  model::Run run = run_of(after);
  run.info.threads = 4;
  run.info.host = "a-host-with-a-long-name.example.org";
  expect_same_as_golden("compare/batch_sizes.txt",
                        render(compare(run_of({}), run), options_for("b.sightline")));
}

TEST(ReportComparison, SaysWhyThereAreNoTimes) {
  model::Run after = run_of({});
  after.totals.counted_steps = 0;
  after.totals.steps = 2;
  after.steps.clear();
  expect_same_as_golden("compare/no_steps.txt",
                        render(compare(run_of({}), after), options_for("b.sightline")));
  const std::string nothing =
      render(compare(model::Run(), model::Run()), options_for("b.sightline"));
  EXPECT_THAT(nothing, HasSubstr("A has no step: none was seen"));
}

TEST(ReportComparison, AsciiTextHasTheLinesOfTheOther) {
  TextOptions options = options_for("b.sightline");
  options.width = 80;
  const std::string usual = render(changed(), options);
  options.ascii = true;
  const std::string ascii = render(changed(), options);
  expect_same_as_golden("compare/ascii.txt", ascii);
  EXPECT_TRUE(std::all_of(ascii.begin(), ascii.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  EXPECT_EQ(std::count(ascii.begin(), ascii.end(), '\n'),
            std::count(usual.begin(), usual.end(), '\n'));
}

TEST(ReportComparison, FitsTheWidth) {
  for (const std::size_t width : {60U, 80U, 100U, 160U}) {
    TextOptions options = options_for("b.sightline");
    options.width = width;
    const std::string text = render(changed(), options);
    EXPECT_LE(longest_line(text.substr(0, text.find("\nNext: "))), width);
    EXPECT_THAT(text, HasSubstr("verdict")) << "the word must not be the first to go";
  }
}

TEST(ReportComparison, ColoursTheBetterAndTheWorse) {
  TextOptions options = options_for("b.sightline");
  options.color = true;
  const std::string text = render(changed(), options);
  EXPECT_THAT(text, HasSubstr("\x1b[31mB is "));
  EXPECT_THAT(text, HasSubstr("\x1b[32m"));
}

TEST(ReportComparison, ShowsAllLinesIfAskedTo) {
  TextOptions options = options_for("b.sightline");
  EXPECT_THAT(render(changed(), options), Not(HasSubstr("loss.backward()")));
  options.top = 0;
  EXPECT_THAT(render(changed(), options), HasSubstr("loss.backward()"));
  options.top = 1;
  EXPECT_THAT(render(changed(), options), HasSubstr("more lines, in all -500 µs; --top 0"));
}

TEST(ReportComparison, ShowsNoEscapeSequenceOfARun) {
  const std::string hostile = "\x1b]0;owned\x07\x1b[2J\r\xff\u202E";
  RunSketch sketch;
  sketch.net_path += hostile;
  sketch.net_function += hostile;
  sketch.net_text = "# " + hostile + "\n" + sketch.net_text + hostile;
  RunSketch slower = sketch;
  slower.net_us["head("] = 4000;
  model::Run before = run_of(sketch), after = run_of(slower);
  for (auto& module : after.modules) module.path += hostile, module.type += hostile;
  after.info.device = after.info.host = after.info.started = after.info.framework = hostile;
  const Comparison comparison = compare(before, after);
  TextOptions options = options_for(hostile);
  options.top = 0;
  const std::string text = render_comparison(comparison, hostile, options);
  for (const char* steering : {"\x1b", "\x07", "\r", "\u202E"}) {
    EXPECT_THAT(text, Not(HasSubstr(steering)));
  }
  EXPECT_EQ(text, valid_utf8(text));
  EXPECT_EQ(Json::parse(render_comparison_json(comparison))["format"], 1);
}

TEST(ComparisonJson, HasBeforeAndAfterOfEverything) {
  const Json json = comparison_json(changed());
  EXPECT_EQ(json["format"], 1);
  for (const char* key : {"a", "b", "differs", "notes", "iteration", "phases", "lines",
                          "unattributed_ms", "modules", "memory"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  const Json& wall = json["iteration"]["wall_ms"];
  EXPECT_NEAR(wall["before"].get<double>(), 10.95, 1e-9);
  EXPECT_NEAR(wall["after"].get<double>(), 15.95, 1e-9);
  EXPECT_NEAR(wall["difference"].get<double>(), 5.0, 1e-9);
  EXPECT_GT(wall["noise"].get<double>(), 0.0);
  EXPECT_EQ(wall["verdict"], "worse");
  const Json& line = json["lines"][0];
  EXPECT_EQ(line["verdict"], "worse");
  EXPECT_EQ(line["a"]["line"], 3);
  EXPECT_EQ(line["b"]["line"], 4);
  EXPECT_EQ(line["b"]["source"], "pixels = self.features(self.features(x))");
  double sum = json["unattributed_ms"]["difference"];
  for (const Json& each : json["lines"]) sum += each["self_ms"]["difference"].get<double>();
  EXPECT_NEAR(sum, 5.0, 1e-9);
  EXPECT_EQ(json["memory"]["peak_bytes"]["difference"], 2 * (3 << 20));
  EXPECT_TRUE(json["memory"]["peak_bytes"]["difference"].is_number_integer());
  EXPECT_EQ(json["memory"]["at_peak"].size(), 7U);
  EXPECT_EQ(json["phases"]["data_ms"]["verdict"], "same");
}

TEST(ComparisonJson, IsNullWhereNothingWasMeasured) {
  const Json json = comparison_json(compare(model::Run(), model::Run()));
  EXPECT_TRUE(json["iteration"]["wall_ms"]["before"].is_null());
  EXPECT_TRUE(json["iteration"]["wall_ms"]["verdict"].is_null());
  EXPECT_TRUE(json["memory"]["peak_bytes"]["verdict"].is_null());
  EXPECT_THAT(json["notes"][0].get<std::string>(), StartsWith("A has no step"));
  EXPECT_THAT(json["notes"][1].get<std::string>(), StartsWith("B has no step"));
}

}  // namespace
}  // namespace sightline::profile
