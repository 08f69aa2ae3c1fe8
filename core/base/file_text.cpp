#include "core/base/file_text.h"

#include <array>
#include <fstream>

namespace sightline {

std::optional<std::string> file_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text;
  std::array<char, 16384> part{};
  do {
    stream.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream);
  if (stream.bad()) return std::nullopt;
  return text;
}

}  // namespace sightline
