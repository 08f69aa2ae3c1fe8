// The source files that a run has kept.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/model/run.h"

namespace sightline::server {

// The text of the file of that name, as the run calls it.
std::optional<std::string> source_in(const model::Run& run, const std::string& path);

// Files with a text, by name.
std::vector<std::string> sources_of(const model::Run& run);

// What is answered to who asks for a file: path, text and hash.
nlohmann::ordered_json source_json(const std::string& path, const std::string& text);

}  // namespace sightline::server
