#include "server/edit/batch_size_default.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/file_text.h"
#include "server/edit/integer_expression.h"
#include "server/edit/python_bindings.h"
#include "server/edit/python_modules.h"
#include "server/edit/python_tokens.h"

namespace sightline::server {
namespace {

namespace fs = std::filesystem;
using Bound = PythonBinding::Kind;

constexpr std::array<const char*, 3> kProviders = {
    "sightline_input_provider", "skyline_input_provider", "deepview_input_provider"};
constexpr std::string_view kParameter = "batch_size";
constexpr int kMostHops = 8;  // from name to name
constexpr std::string_view kInProvider =
    "Write a number in the input provider, and it can be changed from here";

struct Tokens {
  std::size_t from = 0;
  std::size_t to = 0;
};

class Finder {
 public:
  explicit Finder(const PythonModules& modules) : modules_(modules) {}

  Result<BatchSizeDefault> in_module(const fs::path& file, std::string_view provider) {
    const Result<PythonSource> source = read(file);
    if (!source) return source.error();
    return in_source(file, source.value(), provider);
  }

  Result<PythonSource> read(const fs::path& file) const {
    std::optional<std::string> text = file_text(file);
    if (!text) return Error{ErrorKind::Io, shown(file) + " cannot be read"};
    return PythonSource(*std::move(text));
  }

  Result<BatchSizeDefault> in_source(const fs::path& file, const PythonSource& source,
                                     std::string_view provider) {
    const Result<PythonBinding> binding = only_binding(file, source, provider);
    if (!binding) return binding.error();
    if (binding->kind == Bound::Import) return imported(file, binding.value(), false);
    if (binding->kind != Bound::Function) {
      return by_hand(file, source, binding->at,
                     std::string(provider) + " is not defined by a def of its module");
    }
    const std::optional<Tokens> value = default_in(source, binding->from, binding->to);
    if (!value) {
      return by_hand(file, source, binding->at,
                     std::string(provider) + " has no default for " + std::string(kParameter));
    }
    return of_expression(file, source, *value);
  }

 private:
  std::string shown(const fs::path& file) const {
    return file.lexically_relative(modules_.root()).generic_string();
  }

  Error by_hand(const fs::path& file, const PythonSource& source, std::size_t at,
                const std::string& why) const {
    return {ErrorKind::Unsupported,
            fmt::format("{}:{}: {}. Write a number there, and it can be changed from here",
                        shown(file), source[at].line, why)};
  }

  // A function may be defined again; then the last one counts. Else a name has to be bound once.
  Result<PythonBinding> only_binding(const fs::path& file, const PythonSource& source,
                                     std::string_view name) const {
    const std::vector<PythonBinding> found = bindings_of(source, name);
    if (found.empty()) {
      return Error{ErrorKind::Unsupported,
                   fmt::format("{}: {} is not set where it could be found. {}", shown(file), name,
                               kInProvider)};
    }
    for (const PythonBinding& binding : found) {
      if (binding.kind != Bound::Function && found.size() > 1) {
        return by_hand(file, source, found.back().at,
                       fmt::format("{} is set in more than one place", name));
      }
    }
    if (found.back().kind == Bound::Other) {
      return by_hand(file, source, found.back().at,
                     fmt::format("{} is set in a way that depends on how the program runs", name));
    }
    return found.back();
  }

  // Between the brackets of a definition.
  static std::optional<Tokens> default_in(const PythonSource& source, std::size_t open,
                                          std::size_t close) {
    std::size_t start = open + 1;
    std::size_t equals = 0;
    for (std::size_t at = open + 1; at <= close && at < source.size(); ++at) {
      const std::string_view word = source.word(at);
      if (at == close || word == ",") {
        if (equals > 0 && source.is(start, kParameter)) return Tokens{equals + 1, at};
        start = at + 1;
        equals = 0;
      } else if (word == "(" || word == "[" || word == "{") {
        at = source.closing(at);
      } else if (word == "=" && equals == 0) {
        equals = at;
      } else if (word == "lambda") {
        return std::nullopt;  // its commas are not those of the parameters
      }
    }
    return std::nullopt;
  }

  Result<BatchSizeDefault> of_expression(const fs::path& file, const PythonSource& source,
                                         Tokens tokens) {
    if (tokens.from >= tokens.to) return by_hand(file, source, tokens.from, "there is no value");
    const std::string written(source.words(tokens.from, tokens.to));
    if (const auto value = integer_value(source, tokens.from, tokens.to)) {
      return BatchSizeDefault{file,
                              source[tokens.from].line,
                              source[tokens.from].begin,
                              source[tokens.to - 1].end,
                              *value,
                              written,
                              source.text()};
    }
    if (++hops_ > kMostHops) return by_hand(file, source, tokens.from, "names lead in a circle");
    if (is_dotted_name(source, tokens)) return of_name(file, source, tokens);
    return by_hand(file, source, tokens.from,
                   fmt::format("the batch size is computed when the program runs ({})", written));
  }

  static bool is_dotted_name(const PythonSource& source, Tokens tokens) {
    for (std::size_t at = tokens.from; at < tokens.to; ++at) {
      const bool is_name_place = (at - tokens.from) % 2 == 0;
      if (is_name_place ? !source.is_name(at) : !source.is(at, ".")) return false;
    }
    return (tokens.to - tokens.from) % 2 == 1;
  }

  Result<BatchSizeDefault> of_name(const fs::path& file, const PythonSource& source,
                                   Tokens tokens) {
    const bool is_plain = tokens.to - tokens.from == 1;
    // Of module.NAME, what the module is called here.
    const std::string_view local = source.words(tokens.from, is_plain ? tokens.to : tokens.to - 2);
    const Result<PythonBinding> binding = only_binding(file, source, local);
    if (!binding) return binding.error();
    if (is_plain && binding->kind == Bound::Value) {
      return of_expression(file, source, {binding->from, binding->to});
    }
    if (binding->kind != Bound::Import) {
      return by_hand(file, source, tokens.from,
                     fmt::format("{} is not a number of this project's source", local));
    }
    if (is_plain) return imported(file, binding.value(), true);
    const PythonBinding& import = binding.value();
    const std::string joint =
        import.module.ends_with('.') || import.imported_name.empty() ? "" : ".";
    return constant_of(file, import.module + joint + import.imported_name,
                       source.word(tokens.to - 1));
  }

  Result<BatchSizeDefault> imported(const fs::path& importer, const PythonBinding& import,
                                    bool constant) {
    if (constant) return constant_of(importer, import.module, import.imported_name);
    const auto file = modules_.file_of(import.module, importer);
    if (!file) return outside(importer, import.module);
    if (++hops_ > kMostHops) return outside(importer, import.module);
    return in_module(*file, import.imported_name);
  }

  Result<BatchSizeDefault> constant_of(const fs::path& importer, const std::string& module,
                                       std::string_view name) {
    const auto file = modules_.file_of(module, importer);
    if (!file) return outside(importer, module);
    const Result<PythonSource> source = read(*file);
    if (!source) return source.error();
    const Result<PythonBinding> binding = only_binding(*file, source.value(), name);
    if (!binding) return binding.error();
    if (++hops_ > kMostHops) return outside(importer, module);
    if (binding->kind == Bound::Import) return imported(*file, binding.value(), true);
    if (binding->kind == Bound::Value) {
      return of_expression(*file, source.value(), {binding->from, binding->to});
    }
    return by_hand(*file, source.value(), binding->at, fmt::format("{} is no number", name));
  }

  Error outside(const fs::path& importer, const std::string& module) const {
    return {ErrorKind::Unsupported,
            fmt::format("{} takes the batch size from {}, which is no file of this project. {}",
                        shown(importer), module, kInProvider)};
  }

  const PythonModules& modules_;
  int hops_ = 0;
};

}  // namespace

Result<BatchSizeDefault> find_batch_size_default(const fs::path& entry, const fs::path& root) {
  const PythonModules modules(entry, root);
  Finder finder(modules);
  const Result<PythonSource> source = finder.read(entry);
  if (!source) return source.error();
  for (const char* provider : kProviders) {
    if (bindings_of(source.value(), provider).empty()) continue;
    return finder.in_source(entry, source.value(), provider);
  }
  return Error{ErrorKind::Unsupported,
               entry.filename().string() +
                   ": the input provider is not defined where it could be found. Change the "
                   "default of its batch_size by hand"};
}

}  // namespace sightline::server
