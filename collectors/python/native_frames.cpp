// The native reader: CPython 3.10 to 3.13.
// clang-format off
#include "collectors/python/interpreter_frame.h"  // first: it sets what Python.h shows
// clang-format on
#include <unistd.h>

#include "collectors/python/frames.h"

#ifdef SIGHTLINE_NATIVE_FRAMES

namespace sightline::python {
namespace {

// Two code objects that follow each other at one address differ in one of these.
std::uint32_t fingerprint_of(const PyCodeObject* code) {
  const auto file = reinterpret_cast<std::uintptr_t>(code->co_filename);
  return static_cast<std::uint32_t>(file >> 4) * 0x9E3779B1u +
         static_cast<std::uint32_t>(code->co_firstlineno);
}

// The dictionary of keyword arguments is made anew for every call, and every new dictionary gets a
// number that no other has: it tells two calls from one place apart.
std::uint64_t call_number(PyObject* keywords) {
  if (keywords == nullptr || !PyDict_CheckExact(keywords)) return 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return reinterpret_cast<PyDictObject*>(keywords)->ma_version_tag;
#pragma GCC diagnostic pop
}

constexpr std::size_t kUnknown = record::kMaxStackDepth;

// How many frames are around a call that is one of `open`, where later calls are inside of earlier
// ones and have greater numbers. What is no longer open is taken off.
std::size_t frames_around(const record::RawFrame& call, std::span<const record::OpenCall>& open) {
  while (!open.empty() && open.back().frame.call > call.call) open = open.first(open.size() - 1);
  return !open.empty() && open.back().frame == call ? open.back().outer : kUnknown;
}

// Place of (self, *args, **kwargs) in the locals of a module's __call__.
constexpr int kSelf = 0;
constexpr int kArguments = 1;
constexpr int kKeywords = 2;

// The state of the main thread lives as long as the interpreter; that of another thread may be made
// for one call and be gone after it.
thread_local PyThreadState* state_of_main_thread __attribute__((tls_model("initial-exec")));

PyThreadState* this_thread() {
  if (state_of_main_thread != nullptr) return state_of_main_thread;
  PyThreadState* state = PyGILState_GetThisThreadState();
  if (state != nullptr && getpid() == gettid()) state_of_main_thread = state;
  return state;
}

}  // namespace

record::Position current_position() {
  PyThreadState* state = this_thread();
  if (state == nullptr) return {};
  const Frame* frame = top_frame(state);
  if (frame == nullptr) return {};
  return {frame, instruction_of(frame)};
}

record::Stack read_stack(record::RawFrame* frames, const void* module_call,
                         std::span<const record::OpenCall> open, bool& truncated) {
  truncated = false;
  PyThreadState* state = this_thread();
  if (state == nullptr) return {};
  std::size_t count = 0;
  for (Frame* frame = top_frame(state); frame != nullptr; frame = outer_frame(frame)) {
    if (count == record::kMaxStackDepth) {
      truncated = true;
      break;
    }
    const PyCodeObject* code = code_of(frame);
    record::RawFrame& raw = frames[count++];
    raw.code = code;
    raw.fingerprint = fingerprint_of(code);
    raw.offset = offset_of(frame);
    raw.module = nullptr;
    raw.call = 0;
    if (code == module_call) {
      raw.module = locals_of(frame)[kSelf];
      raw.call = call_number(locals_of(frame)[kKeywords]);
      const std::size_t outer = frames_around(raw, open);
      if (outer + count <= record::kMaxStackDepth) return {outer + count, outer};
    }
  }
  return {count, 0};
}

bool module_arguments(const void* module_call, const void* module, Arguments& arguments) {
  PyThreadState* state = this_thread();
  if (state == nullptr) return false;
  for (Frame* frame = top_frame(state); frame != nullptr; frame = outer_frame(frame)) {
    if (code_of(frame) != module_call || locals_of(frame)[kSelf] != module) continue;
    PyObject* tuple = locals_of(frame)[kArguments];
    if (tuple == nullptr || !PyTuple_CheckExact(tuple)) return false;
    PyObject* keywords = locals_of(frame)[kKeywords];
    if (keywords != nullptr && !PyDict_CheckExact(keywords)) keywords = nullptr;
    arguments = {reinterpret_cast<PyTupleObject*>(tuple)->ob_item, PyTuple_GET_SIZE(tuple),
                 keywords};
    return true;
  }
  return false;
}

const char* reader_name() { return "native"; }

}  // namespace sightline::python

#endif
