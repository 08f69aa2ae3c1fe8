// A frame of the interpreter as a collector reads it: addresses only, nothing resolved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/model/ids.h"

namespace sightline::record {

inline constexpr std::size_t kMaxStackDepth = 512;

struct RawFrame {
  const void* code = nullptr;     // identity of the code object
  std::uint32_t fingerprint = 0;  // differs when the address is used for another code object
  std::int32_t offset = 0;        // of the running instruction, in bytes
  const void* module = nullptr;   // the instance, if this frame is the call of a module
  std::uint64_t call = 0;         // differs between two calls of that module from one place

  // Without a branch for each member: whole stacks are compared, and most frames are equal.
  bool operator==(const RawFrame& other) const {
    const auto differs = [](const void* a, const void* b) {
      return reinterpret_cast<std::uintptr_t>(a) ^ reinterpret_cast<std::uintptr_t>(b);
    };
    return (differs(code, other.code) | differs(module, other.module) | (call ^ other.call) |
            (fingerprint ^ other.fingerprint) |
            static_cast<std::uint32_t>(offset ^ other.offset)) == 0;
  }
};

// A call of a module on the stack before. While it runs, what is around it stands still: a stack
// that has it too has the same `outer` frames around it.
struct OpenCall {
  RawFrame frame;  // with a call number
  std::size_t outer = 0;
};

// How many frames a stack has, and how many of the outermost were not read, because the stack
// before has them.
struct Stack {
  std::size_t count = 0;
  std::size_t known = 0;
};

// Which Python instruction runs. Two operators with one position were called by the same
// instruction, so the inner one was not called from Python.
struct Position {
  const void* frame = nullptr;
  const void* instruction = nullptr;
  bool operator==(const Position&) const = default;
};

struct ResolvedFrame {
  std::string file;  // as the interpreter names it
  std::string function;
  std::uint32_t line = 0;
  bool recompute = false;  // below this frame the framework repeats a forward pass
};

// What a collector tells about a frame when it is seen for the first time. Called on the thread
// whose frame it is, while the frame runs. Must not throw.
class FrameResolver {
 public:
  virtual ~FrameResolver() = default;
  virtual ResolvedFrame resolve(const RawFrame& frame) = 0;
  // Called once for each module instance, with the outermost module of the running stack.
  virtual model::ModuleId register_module(const void* module, const void* outermost) = 0;
};

}  // namespace sightline::record
