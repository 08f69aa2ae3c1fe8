// How the program says that something is wrong.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace sightline::cli {

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitFailure = 1;  // a check failed, or the user's code did
inline constexpr int kExitWrongUse = 2;

// Writes "sightline: what" to stderr, and the remedy beneath it if there is one. Returns the code.
int complain(std::string_view what, std::string_view remedy, int exit_code);

// The same for an error of the engine, whose message has the remedy in it.
int complain(const Error& error);

// Of a use that the person at the keyboard can mend.
Error wrong_use(std::string message);

}  // namespace sightline::cli
