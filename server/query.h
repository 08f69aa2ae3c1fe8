// Numbers that are asked for in the query of an address.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/http/service.h"

namespace sightline::server {

// Nothing if it is no number.
std::optional<std::uint64_t> number_in(const std::string& text);

// The default without one; nothing if it is no number.
std::optional<std::uint64_t> number_of(const Request& request, const std::string& name,
                                       std::uint64_t otherwise);

// Numbers with commas between them; none without one; nothing if it is anything else.
std::optional<std::vector<std::uint64_t>> numbers_of(const Request& request,
                                                     const std::string& name);

// Empty without one.
std::string text_of(const Request& request, const std::string& name);

}  // namespace sightline::server
