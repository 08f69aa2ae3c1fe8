#include "server/edit/python_bindings.h"

#include <optional>

namespace sightline::server {
namespace {

using Bound = PythonBinding::Kind;

// The token behind a dotted name, of which the text is appended.
std::size_t read_dotted(const PythonSource& source, std::size_t at, std::string& text) {
  while (source.is_name(at) || source.is(at, ".") || source.is(at, "...")) {
    if (source.is(at, "import") || source.is(at, "as")) break;
    text += source.word(at++);
  }
  return at;
}

class Search {
 public:
  Search(const PythonSource& source, std::string_view name) : source_(source), name_(name) {}

  std::vector<PythonBinding> all() {
    bool inside = false;  // of a function or a class
    for (std::size_t at = 0; at < source_.size(); at = source_.next_statement(at)) {
      const bool at_margin = source_[at].at_margin;
      if (at_margin) inside = begins_definition(at);
      if (at_margin || !inside) look_at(at, at_margin);
    }
    return std::move(found_);
  }

 private:
  bool begins_definition(std::size_t at) const {
    return source_.is(at, "def") || source_.is(at, "async") || source_.is(at, "class") ||
           source_.is(at, "@");
  }

  void look_at(std::size_t at, bool at_margin) {
    if (source_.is(at, "from")) {
      look_at_from_import(at);
    } else if (source_.is(at, "import")) {
      look_at_import(at);
    } else if (begins_definition(at)) {
      look_at_definition(at, at_margin);
    } else {
      look_at_assignments(at, at_margin);
    }
  }

  void look_at_definition(std::size_t at, bool at_margin) {
    const std::size_t word = source_.is(at, "async") ? at + 1 : at;
    if (!source_.is(word + 1, name_)) return;
    const bool is_function = source_.is(word, "def") && at_margin && source_.is(word + 2, "(");
    add(is_function ? Bound::Function : Bound::Other, at, word + 2, source_.closing(word + 2));
  }

  void look_at_assignments(std::size_t at, bool at_margin) {
    if (at_margin && source_.is(at, name_)) {
      std::size_t equals = at + 1;
      if (source_.is(equals, ":")) {
        while (!source_.is_line_end(equals) && !source_.is(equals, "=")) ++equals;
      }
      if (source_.is(equals, "=")) {
        add(Bound::Value, at, equals + 1, source_.next_statement(at) - 1);
        return;
      }
    }
    int depth = 0;
    for (std::size_t token = at; !source_.is_line_end(token); ++token) {
      const std::string_view word = source_.word(token);
      if (word == "(" || word == "[" || word == "{") ++depth;
      if (word == ")" || word == "]" || word == "}") --depth;
      if (word == name_ && binds(token, depth)) add(Bound::Other, at, token, token);
    }
  }

  // `a, name = ...`, `name += 1`, `for name in`, `with ... as name`, `name := 1`
  bool binds(std::size_t token, int depth) const {
    if (token > 0 && source_.is(token - 1, ".")) return false;
    const std::string_view next = source_.word(token + 1);
    if (next == ":=") return true;
    if (depth > 0) return false;
    if (next == "=" || next == ",") return true;
    if (next.size() >= 2 && next.back() == '=' && next != "==" && next != "<=" && next != ">=" &&
        next != "!=") {
      return true;
    }
    return token > 0 && (source_.is(token - 1, "for") || source_.is(token - 1, "as"));
  }

  void look_at_import(std::size_t at) {
    for (std::size_t token = at + 1; !source_.is_line_end(token);) {
      std::string module;
      token = read_dotted(source_, token, module);
      std::string local = module;
      if (source_.is(token, "as")) {
        local = source_.word(token + 1);
        token += 2;
      }
      if (local == name_) add_import(at, module, "");
      if (!source_.is(token, ",")) return;
      ++token;
    }
  }

  void look_at_from_import(std::size_t at) {
    std::string module;
    std::size_t token = read_dotted(source_, at + 1, module);
    if (!source_.is(token, "import")) return;
    ++token;
    if (source_.is(token, "(")) ++token;
    while (source_.is_name(token)) {
      const std::string original(source_.word(token++));
      std::string local = original;
      if (source_.is(token, "as")) {
        local = source_.word(token + 1);
        token += 2;
      }
      if (local == name_) add_import(at, module, original);
      if (source_.is(token, ",")) ++token;
    }
  }

  void add(Bound kind, std::size_t at, std::size_t from, std::size_t to) {
    found_.push_back({kind, at, from, to, "", ""});
  }

  void add_import(std::size_t at, const std::string& module, const std::string& name) {
    found_.push_back({Bound::Import, at, at, at, module, name});
  }

  const PythonSource& source_;
  const std::string_view name_;
  std::vector<PythonBinding> found_;
};

}  // namespace

std::vector<PythonBinding> bindings_of(const PythonSource& source, std::string_view name) {
  return Search(source, name).all();
}

}  // namespace sightline::server
