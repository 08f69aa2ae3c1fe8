#include "server/result_cache.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/file_text.h"
#include "core/store/single_file.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostResults = 32;

}  // namespace

ResultCache::ResultCache(fs::path folder) : folder_(std::move(folder)) {}

fs::path ResultCache::place(std::uint64_t analysis, const std::string& suffix) const {
  return folder_ / ("analysis-" + std::to_string(analysis) + suffix);
}

void ResultCache::keep(const std::string& key, std::uint64_t analysis, const std::string& body,
                       bool complete) {
  const CachedResult result = {key, complete, place(analysis, ".sightline"),
                               place(analysis, ".json")};
  std::ofstream file(result.breakdown, std::ios::binary | std::ios::trunc);
  file << body;
  file.close();
  results_.remove_if([&](const CachedResult& older) { return older.run == result.run; });
  if (!file) {
    remove(result);
    return;
  }
  results_.push_front(result);
  if (results_.size() > kMostResults) {
    remove(results_.back());
    results_.pop_back();
  }
}

void ResultCache::complete(const std::string& key) {
  if (find(key)) results_.front().complete = true;
}

std::optional<CachedResult> ResultCache::find(const std::string& key) {
  const auto found = std::find_if(results_.begin(), results_.end(),
                                  [&](const CachedResult& result) { return result.key == key; });
  if (found == results_.end()) return std::nullopt;
  results_.splice(results_.begin(), results_, found);
  return results_.front();
}

std::optional<std::string> ResultCache::read(const CachedResult& result) {
  return file_text(result.breakdown);
}

void ResultCache::remove(const CachedResult& result) {
  std::error_code gone;
  fs::remove(result.breakdown, gone);
  store::remove_run(result.run);
}

}  // namespace sightline::server
