#include "core/profile/memory_limits.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// What a control group may have, or what it has left.
using InGroup = std::uint64_t (*)(const fs::path& limit, const fs::path& usage);

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::uint64_t number = 0;
  if (std::ifstream(file) >> number) return number;
  return std::nullopt;  // there is no such file, or it says "max"
}

std::uint64_t limit_of(const fs::path& limit, const fs::path&) {
  return number_in(limit).value_or(kUnlimited);
}

std::uint64_t left_in(const fs::path& limit, const fs::path& usage) {
  const std::uint64_t most = limit_of(limit, usage);
  if (most == kUnlimited) return kUnlimited;
  const std::uint64_t used = number_in(usage).value_or(0);
  return most > used ? most - used : 0;
}

std::uint64_t of_machine(const fs::path& root, std::string_view wanted) {
  std::ifstream file(root / "proc/meminfo");
  std::string name;
  std::uint64_t kib = 0;
  for (std::string unit; file >> name >> kib; std::getline(file, unit)) {
    if (name == wanted) return kib * 1024;
  }
  return kUnlimited;
}

// What holds for a group holds for all groups in it.
std::uint64_t least_on_the_way(const fs::path& mount, fs::path group, const char* limit,
                               const char* usage, InGroup in_group) {
  std::uint64_t least = kUnlimited;
  while (true) {
    const fs::path folder = mount / group.relative_path();
    least = std::min(least, in_group(folder / limit, folder / usage));
    if (!group.has_relative_path()) return least;
    group = group.parent_path();
  }
}

std::uint64_t least(const fs::path& root, std::string_view of_machine_name, InGroup in_group) {
  std::uint64_t bytes = of_machine(root, of_machine_name);
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // 0::/path, or 4:memory:/path
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      bytes = std::min(bytes, least_on_the_way(root / "sys/fs/cgroup", group, "memory.max",
                                               "memory.current", in_group));
    } else if (controllers == "memory") {
      bytes = std::min(
          bytes, least_on_the_way(root / "sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                                  "memory.usage_in_bytes", in_group));
    }
  }
  return bytes == kUnlimited ? 0 : bytes;
}

}  // namespace

std::uint64_t memory_capacity_bytes(const fs::path& root) {
  return least(root, "MemTotal:", limit_of);
}

std::uint64_t available_memory_bytes(const fs::path& root) {
  return least(root, "MemAvailable:", left_in);
}

}  // namespace sightline::profile
