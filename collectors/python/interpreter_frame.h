// What a frame looks like inside of each CPython. Only native_frames.cpp includes this.
//   Frame             the interpreter's own struct
//   top_frame(state)  the innermost running Python frame, or null
//   outer_frame(f)    the Python frame that called it, or null
//   code_of, instruction_of, offset_of, locals_of
#pragma once

#include <patchlevel.h>
#if PY_VERSION_HEX >= 0x030B0000
#define Py_BUILD_CORE 1  // shows the interpreter's own structs
#endif
#include <Python.h>
#include <frameobject.h>

#include "collectors/python/frames.h"

#ifdef SIGHTLINE_NATIVE_FRAMES
#if PY_VERSION_HEX >= 0x030B0000
#include <internal/pycore_frame.h>
// After the frames: it uses them.
#include <internal/pycore_code.h>
#endif

namespace sightline::python {

#if PY_VERSION_HEX < 0x030B0000  // 3.10: frames are objects

using Frame = PyFrameObject;
inline Frame* top_frame(PyThreadState* state) { return state->frame; }
inline Frame* outer_frame(Frame* frame) { return frame->f_back; }
inline PyCodeObject* code_of(const Frame* frame) { return frame->f_code; }
inline const void* instruction_of(const Frame* frame) {
  return reinterpret_cast<const void*>(static_cast<std::intptr_t>(frame->f_lasti) + 1);
}
inline int offset_of(const Frame* frame) { return frame->f_lasti * 2; }
inline PyObject* const* locals_of(const Frame* frame) { return frame->f_localsplus; }

#else

using Frame = _PyInterpreterFrame;

// From 3.12 on, C calls put frames of their own between those of Python.
inline Frame* skip_foreign(Frame* frame) {
#if PY_VERSION_HEX >= 0x030C0000
  while (frame != nullptr && frame->owner == FRAME_OWNED_BY_CSTACK) frame = frame->previous;
#endif
  return frame;
}
inline Frame* outer_frame(Frame* frame) { return skip_foreign(frame->previous); }

#if PY_VERSION_HEX >= 0x030D0000
inline Frame* top_frame(PyThreadState* state) { return skip_foreign(state->current_frame); }
inline PyCodeObject* code_of(const Frame* frame) {
  return reinterpret_cast<PyCodeObject*>(frame->f_executable);
}
inline const void* instruction_of(const Frame* frame) { return frame->instr_ptr; }
#else
inline Frame* top_frame(PyThreadState* state) { return skip_foreign(state->cframe->current_frame); }
inline PyCodeObject* code_of(const Frame* frame) { return frame->f_code; }
inline const void* instruction_of(const Frame* frame) { return frame->prev_instr; }
#endif

inline int offset_of(const Frame* frame) {
  return static_cast<int>(static_cast<const char*>(instruction_of(frame)) -
                          reinterpret_cast<const char*>(_PyCode_CODE(code_of(frame))));
}
inline PyObject* const* locals_of(const Frame* frame) { return frame->localsplus; }

#endif

}  // namespace sightline::python

#endif  // SIGHTLINE_NATIVE_FRAMES
