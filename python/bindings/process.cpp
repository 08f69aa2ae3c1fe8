#include <nanobind/nanobind.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

#include "python/bindings/core.h"

namespace nb = nanobind;

namespace sightline::python {
namespace {

// The process is killed when its parent ends; at once if that has ended already.
void die_with(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) kill(getpid(), SIGKILL);
}

}  // namespace

void bind_process(nb::module_& module) { module.def("die_with", &die_with, nb::arg("parent")); }

}  // namespace sightline::python
