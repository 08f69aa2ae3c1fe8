#include "cli/run_plan.h"

#include <fmt/format.h>

#include "core/profile/report/shell_word.h"
#include "core/profile/report/utf8.h"

namespace sightline::cli {
namespace {

void append_unit(std::string& json, std::uint32_t unit) { json += fmt::format("\\u{:04x}", unit); }

std::string json_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const profile::Character character = profile::first_character(text);
    const auto code = static_cast<std::uint32_t>(character.code);
    if (!character.valid) {
      append_unit(json, 0xDC00U + static_cast<unsigned char>(text[0]));
    } else if (code >= 0x10000) {
      append_unit(json, 0xD7C0U + (code >> 10U));
      append_unit(json, 0xDC00U + (code & 0x3FFU));
    } else if (code < 0x20 || code >= 0x7F || code == '"' || code == '\\') {
      append_unit(json, code);
    } else {
      json.push_back(static_cast<char>(code));
    }
    text.remove_prefix(character.size);
  }
  return json + "\"";
}

}  // namespace

std::string to_json(const RunPlan& plan) {
  std::string include;
  for (const std::string& package : plan.include) {
    include += (include.empty() ? "" : ", ") + json_string(package);
  }
  return fmt::format(
      "{{\"path\": {}, \"root\": {}, \"include\": [{}], \"memory_budget_bytes\": {}, "
      "\"disk_budget_bytes\": {}, \"keep_source\": {}, \"command\": {}, \"target\": {}, "
      "\"module\": {}}}",
      json_string(plan.path.string()), json_string(plan.root.string()), include,
      plan.memory_budget_bytes, plan.disk_budget_bytes, plan.keep_source, json_string(plan.command),
      json_string(plan.target), plan.module);
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + profile::shell_word(word);
  return line;
}

}  // namespace sightline::cli
