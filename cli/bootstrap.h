// The few lines of Python that our Python processes start with.
#pragma once

namespace sightline::cli {

// Looks for sightline and torch without the current folder, where a file of the user's might bear
// their names, and hands over to the package. Says what to install if one is missing. The first
// entry of the search path is then a place for the package to put the script's folder.
inline constexpr const char kRunBootstrap[] = R"(
import importlib.util, shlex, sys
if sys.path and sys.path[0] == '':
    del sys.path[0]
for name in ('sightline', 'torch'):
    if importlib.util.find_spec(name) is None:
        exe = sys.executable
        sys.stderr.write(f'sightline: the Python at {exe} has no {name}; '
                         f'install it there with: {shlex.quote(exe)} -m pip install {name}\n')
        sys.exit(2)
import sightline._run
sys.path.insert(0, '')
sightline._run.main()
)";

// Writes the tables of a run as .parquet files: python -c ... RUN DIR.
inline constexpr const char kParquetBootstrap[] = R"(
import importlib.util, shlex, sys
if sys.path and sys.path[0] == '':
    del sys.path[0]
for name in ('sightline', 'pyarrow'):
    if importlib.util.find_spec(name) is None:
        exe = sys.executable
        sys.stderr.write(f'sightline: the Python at {exe} has no {name}; '
                         f'install it there with: {shlex.quote(exe)} -m pip install {name}\n')
        sys.exit(1)
from sightline._parquet import main
sys.exit(main(sys.argv[1:]))
)";

// Prints one line of JSON that begins with this mark: importing may print lines of its own.
inline constexpr const char kFactsMark[] = "sightline-facts:";
inline constexpr const char kFactsScript[] = R"(
import importlib.metadata, importlib.util, json, platform, sys, sysconfig
if sys.path and sys.path[0] == '':
    del sys.path[0]
def version(name):
    if importlib.util.find_spec(name) is None:
        return None
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return 'unknown'
found = {
    'executable': sys.executable,
    'version': platform.python_version(),
    'implementation': platform.python_implementation(),
    'free_threaded': bool(sysconfig.get_config_var('Py_GIL_DISABLED')),
    'sightline': version('sightline'),
    'torch': version('torch'),
    'facts': None,
    'failure': None,
}
if found['sightline'] is not None:
    try:
        from sightline._doctor import facts
        found['facts'] = facts()
    except ModuleNotFoundError as failure:
        if failure.name != 'sightline._doctor':
            found['failure'] = repr(failure)
    except BaseException as failure:
        found['failure'] = repr(failure)
print('\n' + 'sightline-facts:' + json.dumps(found, default=str), flush=True)
)";

}  // namespace sightline::cli
