// Reads the Python frames of the calling thread without the interpreter lock. A thread's own chain
// of frames cannot change while it runs C++ code, so this is safe at any time, with the lock held
// or not. CPython 3.10 to 3.13; other versions go through the public interface, with the lock.
#pragma once

#include <Python.h>

#include <cstddef>
#include <span>

#include "core/record/raw_frame.h"

#ifdef Py_GIL_DISABLED
#error "Sightline needs an interpreter with a global lock: free-threaded builds are not supported."
#endif

#if PY_VERSION_HEX < 0x030E0000 && !defined(SIGHTLINE_PUBLIC_FRAMES)
#define SIGHTLINE_NATIVE_FRAMES 1
#endif

namespace sightline::python {

// The running instruction; empty on a thread that Python does not know.
record::Position current_position();

// Writes up to record::kMaxStackDepth frames, innermost first, as far as a call that is one of
// `open`. A frame that runs `module_call` (the code of a module's __call__) gets its first argument
// as module. `truncated` tells that outer frames were left out.
record::Stack read_stack(record::RawFrame* frames, const void* module_call,
                         std::span<const record::OpenCall> open, bool& truncated);

// The arguments of the innermost running call of that module, without the module itself; false if
// there is none. They are borrowed from the frame.
struct Arguments {
  PyObject* const* items = nullptr;
  Py_ssize_t count = 0;
  PyObject* keywords = nullptr;  // a dict that only this call knows; null if there is none
};
bool module_arguments(const void* module_call, const void* module, Arguments& arguments);

// File, function and line of a frame that is running on the calling thread. Needs no lock: code
// objects do not change.
record::ResolvedFrame resolve_code(const record::RawFrame& frame);

// How the frames are read, for `sightline doctor`: "native" or "public".
const char* reader_name();

}  // namespace sightline::python
