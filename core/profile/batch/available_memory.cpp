#include "core/profile/batch/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace sightline::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::uint64_t number = 0;
  if (std::ifstream(file) >> number) return number;
  return std::nullopt;  // there is no such file, or it says "max"
}

std::uint64_t machine_bytes(const fs::path& root) {
  std::ifstream file(root / "proc/meminfo");
  std::string name;
  std::uint64_t kib = 0;
  for (std::string unit; file >> name >> kib; std::getline(file, unit)) {
    if (name == "MemAvailable:") return kib * 1024;
  }
  return 0;
}

std::uint64_t left_in(const fs::path& limit, const fs::path& usage) {
  const std::optional<std::uint64_t> most = number_in(limit);
  if (!most) return kUnlimited;
  const std::uint64_t used = number_in(usage).value_or(0);
  return *most > used ? *most - used : 0;
}

// A group may take what it and all groups above it have left.
std::uint64_t left_in_groups(const fs::path& mount, fs::path group, const char* limit,
                             const char* usage) {
  std::uint64_t least = kUnlimited;
  while (true) {
    const fs::path folder = mount / group.relative_path();
    least = std::min(least, left_in(folder / limit, folder / usage));
    if (!group.has_relative_path()) return least;
    group = group.parent_path();
  }
}

}  // namespace

std::uint64_t available_memory_bytes(const fs::path& root) {
  std::uint64_t bytes = machine_bytes(root);
  if (bytes == 0) bytes = kUnlimited;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // 0::/path, or 4:memory:/path
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      bytes = std::min(
          bytes, left_in_groups(root / "sys/fs/cgroup", group, "memory.max", "memory.current"));
    } else if (controllers == "memory") {
      bytes = std::min(bytes, left_in_groups(root / "sys/fs/cgroup/memory", group,
                                             "memory.limit_in_bytes", "memory.usage_in_bytes"));
    }
  }
  return bytes == kUnlimited ? 0 : bytes;
}

}  // namespace sightline::profile
