// Memory apart from the program's heap, for what is kept while calls are looked at: among the
// blocks of the program it would split the gaps that they fill again and again. Some of it is kept
// when all is free. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/export.h"

namespace sightline {

// Lives as long as the process. Throws std::bad_alloc.
SIGHTLINE_API std::pmr::memory_resource& memory_apart();

template <typename T>
struct Apart {
  using value_type = T;

  Apart() = default;
  template <typename U>
  explicit Apart(const Apart<U>&) noexcept {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(memory_apart().allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* first, std::size_t count) noexcept {
    memory_apart().deallocate(static_cast<void*>(first), count * sizeof(T), alignof(T));
  }
  friend bool operator==(const Apart&, const Apart&) { return true; }
};

template <typename T>
using ListApart = std::vector<T, Apart<T>>;
using TextApart = std::basic_string<char, std::char_traits<char>, Apart<char>>;
template <typename Key, typename Value>
using MapApart = std::map<Key, Value, std::less<Key>, Apart<std::pair<const Key, Value>>>;
template <typename Key>
using HashSetApart = std::unordered_set<Key, std::hash<Key>, std::equal_to<Key>, Apart<Key>>;
template <typename Key, typename Value>
using HashMapApart = std::unordered_map<Key, Value, std::hash<Key>, std::equal_to<Key>,
                                        Apart<std::pair<const Key, Value>>>;
template <typename Key, typename Value>
using HashMultimapApart = std::unordered_multimap<Key, Value, std::hash<Key>, std::equal_to<Key>,
                                                  Apart<std::pair<const Key, Value>>>;

}  // namespace sightline
