// The code of two runs side by side, where it changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/model/run.h"

namespace sightline::profile {

// Lines that stand beside each other; what only one run has stands alone.
struct DiffRow {
  std::uint32_t before = 0;  // numbers from 1; 0: there is none
  std::uint32_t after = 0;
  std::string before_text;
  std::string after_text;

  bool changed() const { return before == 0 || after == 0 || before_text != after_text; }
};

struct FileDiff {
  std::string before;  // paths; they differ if the file was moved
  std::string after;
  std::vector<std::vector<DiffRow>> parts;  // stretches with a change, and a few lines around it
  bool cut = false;                         // there is more of it
};

// Files whose text both runs keep and that is not the same, by path; lines are matched as
// match_lines does. Pure.
SIGHTLINE_API std::vector<FileDiff> source_diff(const model::Run& before, const model::Run& after);

// A list of objects with before, after, parts and cut. A row has the numbers of its lines as a and
// b, and their texts as before and after; null where there is none. Every string is valid UTF-8.
SIGHTLINE_API nlohmann::ordered_json source_diff_json(const std::vector<FileDiff>& files);

}  // namespace sightline::profile
