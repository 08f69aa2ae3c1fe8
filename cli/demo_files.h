// The example that the program brings along: files that the build has put into it.
#pragma once

#include <span>
#include <string_view>

namespace sightline::cli {

struct EmbeddedFile {
  std::string_view name;
  std::string_view bytes;  // for as long as the program runs
};

std::span<const EmbeddedFile> demo_files();

}  // namespace sightline::cli
