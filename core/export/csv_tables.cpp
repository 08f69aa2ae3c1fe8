#include "core/export/csv_tables.h"

namespace sightline::exports {
namespace {

std::string quoted(const std::string& text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char character : text) {
    if (character == '"') field.push_back('"');
    field.push_back(character);
  }
  return field + "\"";
}

std::string field_of(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? quoted(value.get_ref<const std::string&>()) : value.dump();
}

}  // namespace

std::string csv_text(const Table& table) {
  std::string text;
  const auto end_field = [&](std::size_t column) {
    text += column + 1 < table.columns.size() ? "," : "\r\n";
  };
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    text += quoted(table.columns[column]);
    end_field(column);
  }
  for (const auto& row : table.rows) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      text += field_of(row.at(table.columns[column]));
      end_field(column);
    }
  }
  return text;
}

}  // namespace sightline::exports
