// Single lines of the source texts that a run keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/run.h"

namespace sightline::profile {

std::vector<std::string_view> lines_of(std::string_view text);  // without their line feeds
std::string_view trimmed(std::string_view line);                // without white space around it

// Refers to the run, which must outlive it. Splits each text once, when first asked.
class SourceLines {
 public:
  explicit SourceLines(const model::Run& run) : run_(run) {}

  // Without the white space around it; nothing if the run does not keep the file or it is shorter.
  std::optional<std::string> line(const model::File& file, std::uint32_t number);

 private:
  const std::vector<std::string_view>& split(const std::string& hash);

  const model::Run& run_;
  std::unordered_map<std::string, std::vector<std::string_view>> lines_;
};

}  // namespace sightline::profile
