#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "cli/terminal.h"

namespace sightline::cli {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

void write_to_terminal(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress() : shown_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) write_to_terminal(std::string(kClearLine));
}

void Progress::show(const std::string& what) {
  if (!shown_) return;
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_)
          .count();
  std::string line = std::to_string(seconds) + " s  " + what;
  const std::size_t width = terminal_width(STDERR_FILENO);
  if (width > 1 && line.size() >= width) line.resize(width - 1);
  write_to_terminal(std::string(kClearLine) + line);
}

}  // namespace sightline::cli
