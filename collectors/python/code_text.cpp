// What a code object says of itself, read without the interpreter lock.
#include "collectors/python/frames.h"

namespace sightline::python {
namespace {

// A byte of a file name that is not UTF-8 is written by Python as one of these.
constexpr std::uint32_t kFirstRawByte = 0xDC80;
constexpr std::uint32_t kLastRawByte = 0xDCFF;

void append_utf8(std::string& text, std::uint32_t character) {
  if (character < 0x80) {
    text += static_cast<char>(character);
  } else if (character >= kFirstRawByte && character <= kLastRawByte) {
    text += static_cast<char>(character & 0xFF);
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

}  // namespace

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

}  // namespace sightline::python
