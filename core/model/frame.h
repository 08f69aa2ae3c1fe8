// Where in the source something happened.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/model/ids.h"

namespace sightline::model {

// Whose code a file is. Decided while recording: only that machine knows its environments.
enum class FileRole {
  Project,   // under the root, the user's own
  Included,  // a library the user asked to see with --include
  Library,   // everything else
};
inline constexpr std::size_t kFileRoles = 3;

constexpr std::string_view name_of(FileRole role) {
  constexpr std::array<std::string_view, kFileRoles> kNames = {"project", "included", "library"};
  return kNames[static_cast<std::size_t>(role)];
}

struct File {
  FileId id = kNone;
  std::string path;  // relative to the root (project), or to its import folder (the others)
  std::string absolute_path;
  FileRole role = FileRole::Library;
  std::string source_hash;  // of the text kept in the run, empty if none is kept
};

// One line of one function. Several instructions of the line share one frame.
struct Frame {
  FrameId id = kNone;
  FileId file = kNone;
  std::string function;
  std::uint32_t line = 0;
};

}  // namespace sightline::model
