// A library that is loaded while the program runs. Whoever uses its functions keeps it.
#pragma once

#include <memory>
#include <string>

#include "core/base/export.h"
#include "core/base/result.h"

namespace sightline {

class SharedLibrary {
 public:
  SharedLibrary() = default;
  // Nothing is looked for along the library path. Fails if there is none, or if it does not load.
  SIGHTLINE_API static Result<SharedLibrary> open(const std::string& path);

  SIGHTLINE_API void* symbol(const char* name) const;  // null if it has none
  void stay_loaded() { library_.release(); }           // until the process ends

 private:
  struct Close {
    SIGHTLINE_API void operator()(void* library) const;
  };
  std::unique_ptr<void, Close> library_;
};

}  // namespace sightline
