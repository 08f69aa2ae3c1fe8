#include "worker/interrupts.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace sightline::worker {
namespace {

std::atomic<int> caught{0};
std::atomic<int> told_through{-1};

void on_signal(int signal) {
  const int number = errno;
  caught.store(signal);
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = write(told_through.load(), &byte, 1);
  errno = number;
}

}  // namespace

Interrupts::Interrupts() {
  caught.store(0);
  told_through.store(pipe_.ends[1]);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;  // nohup
    struct sigaction action {};
    action.sa_handler = &on_signal;
    sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int Interrupts::signal() { return caught.load(); }

}  // namespace sightline::worker
