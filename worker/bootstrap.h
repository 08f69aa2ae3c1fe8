// The few lines of Python that our Python processes start with.
#pragma once

#include <string>

namespace sightline::worker {

// Looks for sightline and another package without the current folder, where a file of the user's
// might bear their names, and calls main() of a module of the package. Says what to install if one
// is missing, and ends with 2. The first entry of the search path is then a place for the script's
// folder.
inline std::string bootstrap(const std::string& module, const std::string& package = "torch") {
  return R"(
import importlib.util, shlex, sys
if sys.path and sys.path[0] == '':
    del sys.path[0]
for name in ('sightline', ')" +
         package + R"('):
    if importlib.util.find_spec(name) is None:
        exe = sys.executable
        sys.stderr.write(f'sightline: the Python at {exe} has no {name}; '
                         f'install it there with: {shlex.quote(exe)} -m pip install {name}\n')
        sys.exit(2)
import )" +
         module + "\nsys.path.insert(0, '')\n" + module + ".main()\n";
}

}  // namespace sightline::worker
