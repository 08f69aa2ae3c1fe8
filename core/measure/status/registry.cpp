#include "core/measure/status/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/measure/status/near_names.h"

namespace sightline::measure {
namespace {

// Scripts pass them whichever functions are registered.
constexpr const char* kUsualKeywords[] = {"batch_size", "device", "include_weights", "split"};

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string complaint_about(const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_names(name, known);
  const std::string hint =
      near.empty() ? "" : fmt::format("; did you mean '{}'?", fmt::join(near, "' or '"));
  return fmt::format("no registered function takes the argument '{}'{}", name, hint);
}

}  // namespace

Result<Registration> Registry::add(StatusFunction function, bool overrides) {
  const std::vector<std::string> keys = function.keys;
  Function added{std::move(function), overrides};
  if (Result<void> free = check_claims(added, keys); !free) return free.error();
  const auto id = static_cast<FunctionId>(functions_.size());
  functions_.push_back(std::move(added));
  return Registration{id, claim(id, keys)};
}

Result<Registration> Registry::extend(FunctionId function, const std::string& key) {
  Function& extended = functions_[function];
  if (function_of(key) == function) return Registration{function, {}};
  if (Result<void> free = check_claims(extended, {key}); !free) return free.error();
  extended.description.keys.push_back(key);
  return Registration{function, claim(function, {key})};
}

std::optional<FunctionId> Registry::function_of(const std::string& key) const {
  const auto found = owners_.find(key);
  if (found == owners_.end()) return std::nullopt;
  return found->second.function;
}

bool Registry::overridden(const std::string& key) const {
  return owners_.contains(key) && owner_of(key).overrides;
}

std::vector<std::string> Registry::keep(FunctionId function,
                                        const std::vector<std::string>& returned) {
  std::vector<std::string> kept;
  for (const std::string& key : returned) {
    if (function_of(key) != function) continue;
    set_computed(key);
    kept.push_back(key);
  }
  return kept;
}

bool Registry::is_computed(const std::string& key) const {
  const auto found = owners_.find(key);
  return found != owners_.end() && found->second.computed;
}

void Registry::set_computed(const std::string& key) {
  if (const auto found = owners_.find(key); found != owners_.end()) found->second.computed = true;
}

void Registry::forget_computed() {
  for (auto& [key, owner] : owners_) owner.computed = false;
}

std::vector<std::string> Registry::accepted(FunctionId function,
                                            const std::vector<std::string>& given) const {
  std::vector<std::string> names;
  for (const Keyword& keyword : functions_[function].description.keywords) {
    if (holds(given, keyword.name)) names.push_back(keyword.name);
  }
  return names;
}

std::vector<std::string> Registry::missing(FunctionId function,
                                           const std::vector<std::string>& given) const {
  std::vector<std::string> names;
  for (const Keyword& keyword : functions_[function].description.keywords) {
    if (keyword.required && !holds(given, keyword.name)) names.push_back(keyword.name);
  }
  return names;
}

std::vector<std::string> Registry::complaints(const std::vector<std::string>& given) const {
  const std::vector<std::string> known = known_keywords();
  std::vector<std::string> sentences;
  for (const std::string& name : given) {
    if (!holds(known, name)) sentences.push_back(complaint_about(name, known));
  }
  return sentences;
}

const Registry::Function& Registry::owner_of(const std::string& key) const {
  return functions_[owners_.at(key).function];
}

Result<void> Registry::check_claims(const Function& claimant,
                                    const std::vector<std::string>& keys) const {
  if (!claimant.overrides) return {};
  for (const std::string& key : keys) {
    if (!overridden(key)) continue;
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("'{}' and '{}' are both registered with override=True for the status "
                             "'{}', so that neither goes before the other: register one of them "
                             "without override",
                             owner_of(key).description.name, claimant.description.name, key)};
  }
  return {};
}

std::vector<Replacement> Registry::claim(FunctionId claimant,
                                         const std::vector<std::string>& keys) {
  const bool overrides = functions_[claimant].overrides;
  std::vector<Replacement> replaced;
  for (const std::string& key : keys) {
    if (!owners_.contains(key)) {
      keys_.push_back(key);
    } else if (overridden(key)) {
      continue;
    } else if (!overrides) {
      replaced.push_back({key, owner_of(key).description.name});
    }
    owners_[key] = {claimant, false};
  }
  return replaced;
}

std::vector<std::string> Registry::known_keywords() const {
  std::vector<std::string> names(std::begin(kUsualKeywords), std::end(kUsualKeywords));
  for (const auto& [key, owner] : owners_) {
    for (const Keyword& keyword : functions_[owner.function].description.keywords) {
      names.push_back(keyword.name);
    }
  }
  return names;
}

}  // namespace sightline::measure
