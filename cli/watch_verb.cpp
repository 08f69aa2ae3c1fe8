#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>

#include "cli/complaint.h"
#include "cli/parse.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "core/base/safe_text.h"
#include "core/supervise/report/training_overview.h"

namespace sightline::cli {
namespace {

constexpr std::size_t kColumnsBesideCurves = 39;
constexpr const char* kHome = "\x1b[H";
constexpr const char* kClearLine = "\x1b[K";
constexpr const char* kClearBelow = "\x1b[J";
constexpr const char* kOtherScreen = "\x1b[?1049h\x1b[?25l";
constexpr const char* kOwnScreen = "\x1b[?25h\x1b[?1049l";

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

struct WatchOptions {
  std::string run;
  double every_seconds = 1;
};

void describe(CLI::App& app, WatchOptions& options) {
  app.add_option("RUN", options.run, "the run file, NAME.sightline; it may be still recorded")
      ->required()
      ->type_name("");
  app.add_option("--every", options.every_seconds, "how often to look at it (1)")
      ->check(CLI::Range(0.1, 3600.0).description(""))
      ->type_name("SECONDS");
  app.footer(
      "Ends when the run has ended, or with Ctrl-C. In a pipe every look is one line, and every\n"
      "verdict another.\n\n"
      "Examples:\n"
      "  sightline watch train.sightline\n"
      "  ssh box sightline watch runs/train.sightline");
}

// Redrawn in place, on a screen of its own that is put away at the end.
class Screen {
 public:
  Screen() { put(kOtherScreen); }
  ~Screen() { put(kOwnScreen); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  static void draw(const std::string& text) {
    std::string frame = kHome;
    for (const char character : text) {
      if (character == '\n') frame += kClearLine;
      frame += character;
    }
    put(frame + kClearBelow);
  }

 private:
  static void put(const std::string& bytes) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
  }
};

std::string page_of(const WatchOptions& options, const supervise::TrainingOverview& overview) {
  supervise::OverviewText text;
  text.width = terminal_width(STDOUT_FILENO);
  text.ascii = !can_show_utf8();
  text.advice = overview.verdicts.size() <= 2;
  text.most_verdicts = 12;
  return "sightline watch " + printable(options.run) + (overview.ended ? "  (ended)" : "") + "\n" +
         supervise::overview_text(overview, text);
}

std::string line_of(const supervise::TrainingOverview& overview) {
  std::string line = fmt::format("step {}  epoch {}", overview.last_step, overview.epoch);
  for (const supervise::Curve& curve : overview.curves) {
    line += fmt::format("  {} {:.4g}", curve.name, curve.last);
  }
  return line + fmt::format("  verdicts {}\n", overview.verdicts.size());
}

Result<supervise::TrainingOverview> look(const WatchOptions& options) {
  const std::size_t width = terminal_width(STDOUT_FILENO);
  return supervise::read_overview(
      options.run, std::max<std::size_t>(width, kColumnsBesideCurves + 10) - kColumnsBesideCurves);
}

void pause_for(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (interrupted == 0 && std::chrono::steady_clock::now() < until) ::usleep(20'000);
}

int watch_on_a_terminal(const WatchOptions& options) {
  Result<supervise::TrainingOverview> overview = look(options);
  {
    const Screen screen;
    while (overview && interrupted == 0) {
      Screen::draw(page_of(options, overview.value()));
      if (overview->ended) break;
      pause_for(options.every_seconds);
      if (interrupted == 0) overview = look(options);
    }
  }
  if (!overview) return complain(overview.error());
  // What was last seen stays to be read.
  std::fputs(page_of(options, overview.value()).c_str(), stdout);
  return kExitSuccess;
}

int watch_in_a_pipe(const WatchOptions& options) {
  std::size_t told = 0;
  std::string last_line;
  for (;;) {
    const Result<supervise::TrainingOverview> overview = look(options);
    if (!overview) return complain(overview.error());
    for (; told < overview->verdicts.size(); ++told) {
      std::printf("%s\n", supervise::verdict_line(overview->verdicts[told]).c_str());
    }
    if (const std::string line = line_of(overview.value()); line != last_line) {
      std::fputs(line.c_str(), stdout);
      last_line = line;
    }
    if (std::fflush(stdout) != 0) return kExitFailure;
    if (interrupted != 0 || overview->ended) return kExitSuccess;
    pause_for(options.every_seconds);
    if (interrupted != 0) return kExitSuccess;
  }
}

}  // namespace

int watch_main(const std::vector<std::string>& arguments) {
  CLI::App app("Shows in the terminal how a training goes, while it runs.", "sightline watch");
  WatchOptions options;
  describe(app, options);
  if (const std::optional<int> done = parse(app, arguments)) return *done;
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  return isatty(STDOUT_FILENO) == 1 ? watch_on_a_terminal(options) : watch_in_a_pipe(options);
}

}  // namespace sightline::cli
