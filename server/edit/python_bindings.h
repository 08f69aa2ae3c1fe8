// What a module binds a name to, as far as its source says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/edit/python_tokens.h"

namespace sightline::server {

struct PythonBinding {
  enum class Kind {
    Function,
    Value,   // an assignment of the module itself, once the program has come so far
    Import,  // from MODULE import NAME
    Other,   // within an if or a loop, or by something that cannot be read off the source
  };
  Kind kind = Kind::Other;
  std::size_t at = 0;    // its statement
  std::size_t from = 0;  // the tokens of the value; of a function, `from` is the opening bracket
  std::size_t to = 0;
  std::string module;         // with its leading dots
  std::string imported_name;  // empty: the module itself
};

// All of them, in the order of the source. Bodies of functions and classes are not looked into.
// `name` may have dots: then only imports of modules match, as `config` does `config.BATCH`.
std::vector<PythonBinding> bindings_of(const PythonSource& source, std::string_view name);

}  // namespace sightline::server
