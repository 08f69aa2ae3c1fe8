#include "cli/import_way.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <system_error>

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 35> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool is_name(std::string_view word) {
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) != 0) return false;
  for (const char letter : word) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) == 0 && letter != '_' && byte < 0x80) return false;
  }
  return std::find(kKeywords.begin(), kKeywords.end(), word) == kKeywords.end();
}

bool is_package(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "__init__.py", ignored);
}

// "package.model", and the folder that the package lies in.
ImportWay way_by_package(const fs::path& file) {
  ImportWay way = {file.stem().string(), file.parent_path()};
  while (is_package(way.folder)) {
    way.module = way.folder.filename().string() + "." + way.module;
    way.folder = way.folder.parent_path();
  }
  return way;
}

std::string dotted(const fs::path& relative) {
  std::string name;
  for (const fs::path& part : relative.parent_path()) name += part.string() + ".";
  return name + relative.stem().string();
}

bool can_be_imported(const std::string& module) {
  std::size_t start = 0;
  while (true) {
    const std::size_t end = std::min(module.find('.', start), module.size());
    if (!is_name(std::string_view(module).substr(start, end - start))) return false;
    if (end == module.size()) return true;
    start = end + 1;
  }
}

}  // namespace

std::vector<ImportWay> import_ways(const fs::path& file, const fs::path& entry,
                                   const fs::path& root) {
  const ImportWay by_package = way_by_package(file);
  const bool in_package = by_package.folder != file.parent_path();
  const bool beside = file.parent_path() == entry.parent_path();
  ImportWay alone = {by_package.module, {}};
  if (!in_package && !beside) alone.module = dotted(file.lexically_relative(root));
  std::vector<ImportWay> ways;
  if (can_be_imported(alone.module)) ways.push_back(alone);
  if (can_be_imported(by_package.module) && (in_package || !beside)) ways.push_back(by_package);
  return ways;
}

}  // namespace sightline::cli
