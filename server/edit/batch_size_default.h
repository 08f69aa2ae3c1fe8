// Where the batch size of an entry point is written: the default of its input provider's parameter
// `batch_size`, or the constant that the default names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace sightline::server {

struct BatchSizeDefault {
  std::filesystem::path file;  // absolute
  std::uint32_t line = 0;
  std::size_t begin = 0;  // the bytes that are to be replaced
  std::size_t end = 0;
  std::int64_t value = 0;
  std::string written;  // those bytes
  std::string source;   // the whole file, as it was
};

// Fails with a sentence for the person whose code it is: why it cannot be changed, where, and what
// to write by hand.
Result<BatchSizeDefault> find_batch_size_default(const std::filesystem::path& entry,
                                                 const std::filesystem::path& root);

}  // namespace sightline::server
