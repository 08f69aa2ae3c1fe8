// What `doctor` finds out, as a list of checks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::cli {

struct Check {
  std::string name;
  bool ok = true;
  std::string found;
  std::string remedy;  // what to do, if it is not ok
};

// The facts in what the Python printed; null if they are not there.
nlohmann::json facts_in(std::string_view output);

// Of the Python and its packages. `facts` as kFactsScript prints them; keys may be missing.
std::vector<Check> check_python(const nlohmann::json& facts, const std::string& why);

// Of this machine: SQLite, the disk under the current folder, the clock.
std::vector<Check> check_machine();

Check check_disk(std::uint64_t free_bytes);
Check check_clock(double read_ns);

bool all_ok(const std::vector<Check>& checks);
std::string render_checks(const std::vector<Check>& checks, bool color);
nlohmann::ordered_json checks_json(const std::vector<Check>& checks);

}  // namespace sightline::cli
