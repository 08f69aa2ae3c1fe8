#include "cli/doctor_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/python_facts.h"
#include "core/base/version.h"

namespace sightline::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json good_facts() {
  return {{"executable", "/venv/bin/python"},
          {"version", "3.11.2"},
          {"implementation", "CPython"},
          {"free_threaded", false},
          {"sightline", kVersion},
          {"torch", "2.13.0"},
          {"failure", nullptr},
          {"facts",
           {{"sightline", kVersion},
            {"torch", "2.13.0+cpu"},
            {"collector_built_for", {{"torch", "2.13.0+cpu"}}},
            {"rebuild_command", "rebuild it"},
            {"problem", nullptr}}}};
}

const Check& named(const std::vector<Check>& checks, const std::string& name) {
  for (const Check& check : checks) {
    if (check.name == name) return check;
  }
  static const Check kMissing{"missing", false, "", ""};
  ADD_FAILURE() << "no check of " << name;
  return kMissing;
}

TEST(DoctorChecks, AreSatisfiedWithAWholeInstallation) {
  const std::vector<Check> checks = check_python(good_facts(), "on the PATH");
  EXPECT_TRUE(all_ok(checks)) << render_checks(checks, false);
  EXPECT_THAT(named(checks, "python").found, HasSubstr("CPython 3.11.2 at /venv/bin/python"));
  EXPECT_THAT(named(checks, "collector").found, HasSubstr("built for torch 2.13.0+cpu"));
}

TEST(DoctorChecks, SayWhatToInstall) {
  json facts = good_facts();
  facts["sightline"] = facts["torch"] = facts["facts"] = nullptr;
  const std::vector<Check> checks = check_python(facts, "on the PATH");
  EXPECT_EQ(named(checks, "package").remedy, "/venv/bin/python -m pip install sightline");
  EXPECT_EQ(named(checks, "torch").remedy, "/venv/bin/python -m pip install torch");
  EXPECT_FALSE(all_ok(checks));
}

TEST(DoctorChecks, RefuseFreeThreadedAndOldPythons) {
  json facts = good_facts();
  facts["free_threaded"] = true;
  EXPECT_THAT(named(check_python(facts, ""), "python").remedy, HasSubstr("free-threaded"));
  facts = good_facts();
  facts["version"] = "3.9.2";
  EXPECT_THAT(named(check_python(facts, ""), "python").remedy, HasSubstr("3.10"));
  facts = good_facts();
  facts["implementation"] = "PyPy";
  EXPECT_FALSE(named(check_python(facts, ""), "python").ok);
}

TEST(DoctorChecks, NoticeVersionsThatDoNotFit) {
  json facts = good_facts();
  facts["facts"]["sightline"] = "9.9.9";
  EXPECT_THAT(named(check_python(facts, ""), "package").found, HasSubstr("9.9.9, but this"));
  facts = good_facts();
  facts["facts"]["problem"] = "built for another torch";
  EXPECT_EQ(named(check_python(facts, ""), "collector").found, "built for another torch");
  EXPECT_EQ(named(check_python(facts, ""), "collector").remedy, "rebuild it");
}

TEST(DoctorChecks, TolerateAnyAnswer) {
  EXPECT_FALSE(all_ok(check_python(facts_in("garbage"), "")));
  EXPECT_FALSE(all_ok(check_python(facts_in(std::string(kFactsMark) + "[1"), "")));
  EXPECT_FALSE(all_ok(check_python(json::object(), "")));
  json facts = good_facts();
  facts["facts"] = {{"problem", 7}, {"torch", {1, 2}}, {"collector_built_for", nullptr}};
  facts["free_threaded"] = "maybe";
  EXPECT_FALSE(check_python(facts, "").empty());
  EXPECT_EQ(facts_in("noise\n" + std::string(kFactsMark) + "{\"a\": 1}\nmore")["a"], 1);
}

TEST(DoctorChecks, KnowTheMachine) {
  EXPECT_FALSE(check_disk(1 << 20).ok);
  EXPECT_TRUE(check_disk(1ULL << 40U).ok);
  EXPECT_FALSE(check_clock(900).ok);
  EXPECT_TRUE(check_clock(30).ok);
  EXPECT_EQ(check_machine().size(), 3U);
}

TEST(DoctorChecks, AreJsonForMachines) {
  const auto report = checks_json({{"disk", false, "1 KiB", "buy one"}, {"clock", true, "", ""}});
  EXPECT_EQ(report["ok"], false);
  EXPECT_EQ(report["checks"][0]["remedy"], "buy one");
  EXPECT_TRUE(report["checks"][1]["remedy"].is_null());
}

}  // namespace
}  // namespace sightline::cli
