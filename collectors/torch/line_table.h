// The lines of a program that calls come from, each with a number. Not safe for several threads.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/memory_apart.h"
#include "core/measure/operator_call.h"
#include "core/record/raw_frame.h"

namespace sightline::torch_collector {

class LineTable {
 public:
  // Files below these folders (torch, sightline itself) are never the line that is looked for.
  explicit LineTable(std::vector<std::string> passed_over);

  // The innermost line of the calling thread that counts; model::kNone if there is none.
  std::uint32_t current_line();
  std::vector<measure::SourceLine> take() { return std::move(lines_); }

 private:
  std::uint32_t line_of(const record::RawFrame& frame);
  bool is_passed_over(const std::string& file) const;

  const std::vector<std::string> passed_over_;
  std::vector<measure::SourceLine> lines_;
  MapApart<std::pair<const void*, std::int32_t>, std::uint32_t> by_instruction_;
  MapApart<std::pair<std::string, std::uint32_t>, std::uint32_t> by_text_;
  std::array<record::RawFrame, record::kMaxStackDepth> frames_;
};

}  // namespace sightline::torch_collector
