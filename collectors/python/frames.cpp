// clang-format off
#include "collectors/python/interpreter_frame.h"  // first: it sets what Python.h shows
// clang-format on
#include "collectors/python/frames.h"

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

void append_utf8(std::string& text, std::uint32_t character) {
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character < 0x800) {
    text += static_cast<char>(0xC0 | (character >> 6));
    text += static_cast<char>(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    text += static_cast<char>(0xE0 | (character >> 12));
    text += static_cast<char>(0x80 | ((character >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (character & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | (character >> 18));
    text += static_cast<char>(0x80 | ((character >> 12) & 0x3F));
    text += static_cast<char>(0x80 | ((character >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (character & 0x3F));
  }
}

// PyUnicode_AsUTF8 would want the lock; the characters themselves never change.
std::string text_of(PyObject* unicode) {
  std::string text;
  if (unicode == nullptr || !PyUnicode_Check(unicode)) return text;
  const Py_ssize_t length = PyUnicode_GET_LENGTH(unicode);
  const int kind = static_cast<int>(PyUnicode_KIND(unicode));
  const void* data = PyUnicode_DATA(unicode);
  text.reserve(static_cast<std::size_t>(length));
  for (Py_ssize_t i = 0; i < length; ++i) append_utf8(text, PyUnicode_READ(kind, data, i));
  return text;
}

// Place of (self, *args, **kwargs) in the locals of a module's __call__.
constexpr int kSelf = 0;
constexpr int kArguments = 1;
constexpr int kKeywords = 2;

}  // namespace

record::Position current_position() {
  PyThreadState* state = PyGILState_GetThisThreadState();
  if (state == nullptr) return {};
  const Frame* frame = top_frame(state);
  if (frame == nullptr) return {};
  return {frame, instruction_of(frame)};
}

std::size_t read_stack(record::RawFrame* frames, const void* module_call, bool& truncated) {
  truncated = false;
  PyThreadState* state = PyGILState_GetThisThreadState();
  if (state == nullptr) return 0;
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
    }
  }
  return count;
}

bool module_arguments(const void* module_call, const void* module, Arguments& arguments) {
  PyThreadState* state = PyGILState_GetThisThreadState();
  if (state == nullptr) return false;
  for (Frame* frame = top_frame(state); frame != nullptr; frame = outer_frame(frame)) {
    if (code_of(frame) != module_call || locals_of(frame)[kSelf] != module) continue;
    PyObject* tuple = locals_of(frame)[kArguments];
    if (tuple == nullptr || !PyTuple_CheckExact(tuple)) return false;
    arguments = {reinterpret_cast<PyTupleObject*>(tuple)->ob_item, PyTuple_GET_SIZE(tuple)};
    return true;
  }
  return false;
}

record::ResolvedFrame resolve_code(const record::RawFrame& raw) {
  auto* code = static_cast<PyCodeObject*>(const_cast<void*>(raw.code));
  record::ResolvedFrame frame;
  frame.file = text_of(code->co_filename);
#if PY_VERSION_HEX >= 0x030B0000
  frame.function = text_of(code->co_qualname);
#else
  frame.function = text_of(code->co_name);
#endif
  const int line = PyCode_Addr2Line(code, raw.offset);
  frame.line = static_cast<std::uint32_t>(line > 0 ? line : code->co_firstlineno);
  return frame;
}

const char* reader_name() { return "native"; }

}  // namespace sightline::python
