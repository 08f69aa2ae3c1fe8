#include "core/base/parent.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

namespace sightline {

void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) kill(getpid(), SIGKILL);
}

}  // namespace sightline
