#include "core/base/parent.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace sightline {

void die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) kill(getpid(), SIGKILL);
}

}  // namespace sightline
