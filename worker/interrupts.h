// Turns Ctrl-C and its like into something that can be waited for, so that whoever works can clean
// up before the process ends. One at a time.
#pragma once

#include <array>
#include <csignal>

#include "worker/exec.h"

namespace sightline::worker {

class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  int descriptor() const { return pipe_.ends[0]; }  // can be read from once a signal came
  static int signal();                              // that came, or 0

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  Pipe pipe_;
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace sightline::worker
