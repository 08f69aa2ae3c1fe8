#include "cli/browser.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "worker/exec.h"

namespace sightline::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool at_this_machine() {
  return isatty(STDOUT_FILENO) == 1 && !is_set("SSH_CONNECTION") &&
         (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("BROWSER"));
}

}  // namespace

void open_browser(const std::string& address) {
  if (!at_this_machine()) return;
  const std::string program = is_set("BROWSER") ? std::getenv("BROWSER") : "xdg-open";
  // In the background of a shell that ends at once, so that nobody has to wait for it.
  const worker::Command command = {
      "/bin/sh", {"-c", R"("$0" "$1" >/dev/null 2>&1 </dev/null &)", program, address}, {}};
  (void)worker::output_of(command, 5);
}

}  // namespace sightline::cli
