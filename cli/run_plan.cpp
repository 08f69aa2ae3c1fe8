#include "cli/run_plan.h"

#include <fmt/format.h>

#include "core/base/utf8.h"
#include "core/profile/report/shell_word.h"

namespace sightline::cli {
namespace {

void append_unit(std::string& json, std::uint32_t unit) { json += fmt::format("\\u{:04x}", unit); }

std::string json_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const Character character = first_character(text);
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

std::string json_strings(const std::vector<std::string>& texts) {
  std::string json;
  for (const std::string& text : texts) json += (json.empty() ? "" : ", ") + json_string(text);
  return "[" + json + "]";
}

std::string json_numbers(const std::vector<std::pair<std::string, double>>& numbers) {
  std::string json;
  for (const auto& [name, number] : numbers) {
    json += fmt::format("{}{}: {}", json.empty() ? "" : ", ", json_string(name), number);
  }
  return "{" + json + "}";
}

}  // namespace

std::string to_json(const RunPlan& plan) {
  return fmt::format(
      "{{\"path\": {}, \"root\": {}, \"include\": {}, \"memory_budget_bytes\": {}, "
      "\"disk_budget_bytes\": {}, \"keep_source\": {}, \"command\": {}, \"target\": {}, "
      "\"module\": {}, \"supervise\": {}, \"supervise_budget_percent\": {}, \"stop_on\": {}, "
      "\"thresholds\": {}}}",
      json_string(plan.path.string()), json_string(plan.root.string()), json_strings(plan.include),
      plan.memory_budget_bytes, plan.disk_budget_bytes, plan.keep_source, json_string(plan.command),
      json_string(plan.target), plan.module, json_string(plan.supervise),
      plan.supervise_budget_percent, json_strings(plan.stop_on), json_numbers(plan.thresholds));
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + profile::shell_word(word);
  return line;
}

}  // namespace sightline::cli
