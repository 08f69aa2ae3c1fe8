// Results of analyses by the key of the files that they belong to, on disk. One thread owns it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <optional>
#include <string>

namespace sightline::server {

struct CachedResult {
  std::string key;
  bool complete = false;            // other batch sizes were measured too
  std::filesystem::path run;        // the run file
  std::filesystem::path breakdown;  // the body of the message
};

class ResultCache {
 public:
  // Results are kept in the folder, which is the cache's own.
  explicit ResultCache(std::filesystem::path folder);

  // Where the run of an analysis is to be written, with a name that ends like that.
  std::filesystem::path place(std::uint64_t analysis, const std::string& suffix) const;
  // Takes the place of what was kept of that analysis. If it cannot be written it is not kept.
  void keep(const std::string& key, std::uint64_t analysis, const std::string& body, bool complete);
  // The kept result has all that there will be.
  void complete(const std::string& key);
  // The newest; earlier ones of the same files stay, to be compared with.
  std::optional<CachedResult> find(const std::string& key);

  static std::optional<std::string> read(const CachedResult& result);

 private:
  static void remove(const CachedResult& result);

  const std::filesystem::path folder_;
  std::list<CachedResult> results_;  // the one used last comes first
};

}  // namespace sightline::server
