// What `doctor` asks a Python.
#pragma once

namespace sightline::cli {

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
