#include "cli/child_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/parent.h"

namespace sightline::cli {
namespace {

constexpr std::array<int, 6> kPassedOn = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT};

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// Blocks the signals to be waited for, from before the start of the program, so that none is lost
// in between. Signals that we were told to ignore (nohup) stay ignored, by the program too.
class BlockedSignals {
 public:
  BlockedSignals() {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &plain, nullptr);  // ignoring it would lose the program's ending
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    for (const int signal : kPassedOn) {
      if (!is_ignored(signal)) sigaddset(&set_, signal);
    }
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~BlockedSignals() {
    // What came after the program's end was meant for it: it must not end us before the summary.
    const timespec at_once{};
    while (sigtimedwait(&set_, nullptr, &at_once) > 0) {
    }
    restore();
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  void restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  int wait(siginfo_t& info) const { return sigwaitinfo(&set_, &info); }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

bool has_to_be_passed_on(const siginfo_t& info) {
  const bool from_keyboard = info.si_signo == SIGINT || info.si_signo == SIGQUIT;
  // The terminal's own signals go to the whole group: passing them on would double them.
  return !from_keyboard || info.si_code != SI_KERNEL;
}

}  // namespace

Result<Ending> run_in_our_place(const worker::Command& command) {
  const BlockedSignals signals;
  const pid_t parent = getpid();
  const Result<pid_t> child = worker::start(command, [&] {
    die_with(parent);
    signals.restore();
  });
  if (!child) return child.error();
  while (true) {
    siginfo_t info{};
    const int signal = signals.wait(info);
    if (signal < 0) continue;  // stopped and continued
    if (signal != SIGCHLD) {
      if (has_to_be_passed_on(info)) kill(child.value(), signal);
      continue;
    }
    int status = 0;
    if (waitpid(child.value(), &status, WNOHANG) != child.value()) continue;
    if (WIFSIGNALED(status)) return Ending{128 + WTERMSIG(status), WTERMSIG(status)};
    return Ending{WEXITSTATUS(status), 0};
  }
}

void die_by(int signal) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  sigset_t set{};
  sigemptyset(&set);
  sigaddset(&set, signal);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  kill(getpid(), signal);
}

}  // namespace sightline::cli
