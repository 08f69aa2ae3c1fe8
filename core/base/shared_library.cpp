#include "core/base/shared_library.h"

#include <dlfcn.h>

namespace sightline {

Result<SharedLibrary> SharedLibrary::open(const std::string& path) {
  // With a slash, so that nothing is looked for along the library path.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  SharedLibrary library;
  library.library_.reset(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (library.library_ == nullptr) {
    return Error{ErrorKind::InvalidArgument,
                 std::string("the plug-in does not load: ") + dlerror()};
  }
  return library;
}

void* SharedLibrary::symbol(const char* name) const { return dlsym(library_.get(), name); }

void SharedLibrary::Close::operator()(void* library) const { dlclose(library); }

}  // namespace sightline
