// Texts that tests compare with files, and how wide they are.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "core/profile/report/safe_text.h"

namespace sightline::profile {

// Compares with that file of tests/golden; UPDATE_GOLDEN=1 in the environment writes it instead.
inline void expect_same_as_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(SIGHTLINE_GOLDEN_DIR) + "/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str()) << "UPDATE_GOLDEN=1 rewrites " << path;
}

inline std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, display_width(line));
  }
  return longest;
}

}  // namespace sightline::profile
