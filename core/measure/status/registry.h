// Which function computes which status, what has been computed, and which arguments go where.
//
// A function is whatever computes values for one or more keys. The registry knows it by its
// description only, so it may be written in any language; who asks the registry also calls it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"

namespace sightline::measure {

using FunctionId = std::uint32_t;

struct Keyword {
  std::string name;
  bool required = false;
};

struct StatusFunction {
  std::string name;  // for people
  std::vector<std::string> keys;
  std::vector<Keyword> keywords;
};

struct Replacement {
  std::string key;
  std::string function;  // the name of the one that computed it before
};

struct Registration {
  FunctionId function = 0;
  std::vector<Replacement> replaced;  // where neither function was registered to override
};

// A key belongs to the function that was registered last, except that one that was registered to
// override keeps its keys. A copy shares nothing with the original.
class Registry {
 public:
  // Fails, and changes nothing, if a key belongs to another function that overrides too.
  SIGHTLINE_API Result<Registration> add(StatusFunction function, bool overrides);
  // One more key for a function that is there, by the same rules.
  SIGHTLINE_API Result<Registration> extend(FunctionId function, const std::string& key);

  // In the order in which they were first registered.
  const std::vector<std::string>& keys() const { return keys_; }
  SIGHTLINE_API std::optional<FunctionId> function_of(const std::string& key) const;
  SIGHTLINE_API bool overridden(const std::string& key) const;

  // Of the keys that a function gave values for, those whose values count: the ones that belong to
  // it. They are computed from now on.
  SIGHTLINE_API std::vector<std::string> keep(FunctionId function,
                                              const std::vector<std::string>& returned);
  SIGHTLINE_API bool is_computed(const std::string& key) const;
  SIGHTLINE_API void set_computed(const std::string& key);
  SIGHTLINE_API void forget_computed();

  // Of the given keywords, those that the function takes.
  SIGHTLINE_API std::vector<std::string> accepted(FunctionId function,
                                                  const std::vector<std::string>& given) const;
  // Keywords that the function cannot do without, and that are not given.
  SIGHTLINE_API std::vector<std::string> missing(FunctionId function,
                                                 const std::vector<std::string>& given) const;
  // A sentence for each keyword that no function takes, with the names that may have been meant.
  // Those that usual functions take are never complained of.
  SIGHTLINE_API std::vector<std::string> complaints(const std::vector<std::string>& given) const;

 private:
  struct Owner {
    FunctionId function = 0;
    bool computed = false;
  };
  struct Function {
    StatusFunction description;
    bool overrides = false;
  };

  const Function& owner_of(const std::string& key) const;
  Result<void> check_claims(const Function& claimant, const std::vector<std::string>& keys) const;
  std::vector<Replacement> claim(FunctionId claimant, const std::vector<std::string>& keys);
  std::vector<std::string> known_keywords() const;

  std::vector<Function> functions_;
  std::vector<std::string> keys_;
  std::map<std::string, Owner> owners_;
};

}  // namespace sightline::measure
