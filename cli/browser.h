// Showing an address to the person at the keyboard.
#pragma once

#include <string>

namespace sightline::cli {

// Opens it in their browser if they sit at this machine; over ssh, in a pipe or without a screen
// nothing happens. Does not wait, and says nothing if it fails: the address was printed.
void open_browser(const std::string& address);

}  // namespace sightline::cli
