#include "collectors/torch/line_table.h"

#include <algorithm>

#include "collectors/python/frames.h"

namespace sightline::torch_collector {

LineTable::LineTable(std::vector<std::string> passed_over)
    : passed_over_(std::move(passed_over)), lines_(1) {}

std::uint32_t LineTable::current_line() {
  bool truncated = false;
  const std::size_t depth = python::read_stack(frames_.data(), nullptr, {}, truncated).count;
  for (std::size_t i = 0; i < depth; ++i) {
    if (const std::uint32_t line = line_of(frames_[i]); line != model::kNone) return line;
  }
  return model::kNone;
}

std::uint32_t LineTable::line_of(const record::RawFrame& frame) {
  const auto [found, is_new] =
      by_instruction_.try_emplace({frame.code, frame.offset}, model::kNone);
  if (!is_new) return found->second;
  record::ResolvedFrame resolved = python::resolve_code(frame);
  if (is_passed_over(resolved.file)) return model::kNone;
  const auto [line, unseen] = by_text_.try_emplace({resolved.file, resolved.line},
                                                   static_cast<std::uint32_t>(lines_.size()));
  if (unseen) {
    lines_.push_back({std::move(resolved.file), std::move(resolved.function), resolved.line});
  }
  return found->second = line->second;
}

bool LineTable::is_passed_over(const std::string& file) const {
  return std::any_of(passed_over_.begin(), passed_over_.end(),
                     [&](const std::string& folder) { return file.starts_with(folder); });
}

}  // namespace sightline::torch_collector
