// Changes of an entry point's batch size that were asked for, and how to take them back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "server/edit/batch_size_default.h"

namespace sightline::server {

// What can be said of the batch size that is written in the code.
struct WrittenBatchSize {
  std::optional<std::int64_t> value;  // nothing if it cannot be changed
  std::string file;                   // relative to the root, as is the next
  std::uint32_t line = 0;
  std::string why_not;  // in words
  bool can_undo = false;

  bool operator==(const WrittenBatchSize&) const = default;
};

class BatchSizeEdits {
 public:
  // `given` is the batch size that stands in place of the default; 0: none does.
  BatchSizeEdits(std::filesystem::path entry, std::filesystem::path root, std::uint64_t given);

  WrittenBatchSize written() const;
  // Fails with a sentence for the user; also if the code does not say what was expected of it.
  Result<void> set(std::int64_t batch_size, std::optional<std::int64_t> expected = std::nullopt);
  // Brings back what was written before the last change, if it still stands as that left it.
  Result<void> undo();

 private:
  struct Change {
    std::filesystem::path file;
    std::string before;
    std::string after;
  };
  Result<BatchSizeDefault> find() const;
  Result<void> replace(const BatchSizeDefault& found, const std::string& text) const;
  std::string place_of(const BatchSizeDefault& found) const;

  const std::filesystem::path entry_;
  const std::filesystem::path root_;
  const std::uint64_t given_;
  std::vector<Change> changes_;
};

}  // namespace sightline::server
