// The value of an expression of integer literals alone, such as 1 << 5 or 32 * 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "server/edit/python_tokens.h"

namespace sightline::server {

// Of the tokens from `from` to before `to`; nothing if they are anything else, or too large.
std::optional<std::int64_t> integer_value(const PythonSource& source, std::size_t from,
                                          std::size_t to);

}  // namespace sightline::server
