// Reads JSON field by field and remembers the first that is missing or is something else.
// Internal to this room.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace sightline::measure {

// Reads the fields of one object. After the first problem nothing more is read.
class JsonFields {
 public:
  using Json = nlohmann::ordered_json;

  JsonFields(const Json& json, std::string place, std::optional<Error>& problem)
      : json_(json), place_(std::move(place)), problem_(problem) {
    if (!json_.is_object()) complain("is not an object");
  }

  void read(const char* name, std::string& text) {
    const Json* field = find(name, "text", [](const Json& json) { return json.is_string(); });
    if (field != nullptr) text = field->get_ref<const std::string&>();
  }
  void read(const char* name, bool& flag) {
    const Json* field =
        find(name, "true or false", [](const Json& json) { return json.is_boolean(); });
    if (field != nullptr) flag = field->get<bool>();
  }
  void read(const char* name, std::uint64_t& number) {
    if (const Json* field = find(name, kWhole, is_whole)) number = field->get<std::uint64_t>();
  }
  void read(const char* name, std::uint32_t& number) {
    std::uint64_t wide = 0;
    read(name, wide);
    if (wide > std::numeric_limits<std::uint32_t>::max()) complain_of(name, "is too large");
    number = static_cast<std::uint32_t>(wide);
  }
  void read(const char* name, std::optional<std::uint64_t>& number) {
    if (!is_null(name)) read(name, number.emplace());
  }
  void read(const char* name, std::optional<double>& number) {
    if (is_null(name)) return;
    if (const Json* field = find(name, kNumber, is_number)) number = field->get<double>();
  }
  void read(const char* name, std::vector<double>& numbers) {
    for_each(name, [&](const Json& item, const std::string& place) {
      if (is_number(item)) {
        numbers.push_back(item.get<double>());
      } else {
        set_problem(place, std::string("is not ") + kNumber);
      }
    });
  }
  JsonFields object(const char* name) {
    const Json* field = find(name, "an object", [](const Json& json) { return json.is_object(); });
    return {field == nullptr ? empty_object() : *field, place_of(name), problem_};
  }
  template <typename Row, typename Read>
  void rows(const char* name, std::vector<Row>& rows, Read read_row) {
    for_each(name, [&](const Json& item, const std::string& place) {
      JsonFields fields(item, place, problem_);
      read_row(fields, rows.emplace_back());
    });
  }
  void complain_of(const char* name, const std::string& what) { set_problem(place_of(name), what); }

 private:
  static constexpr const char* kWhole = "a whole number";
  static constexpr const char* kNumber = "a number";

  static bool is_whole(const Json& json) { return json.is_number_unsigned(); }
  static bool is_number(const Json& json) {
    return json.is_number() && std::isfinite(json.get<double>());
  }
  static const Json& empty_object() {
    static const Json kEmpty = Json::object();
    return kEmpty;
  }

  std::string place_of(const char* name) const {
    return place_.empty() ? name : place_ + '.' + name;
  }
  void complain(const std::string& what) {
    set_problem(place_.empty() ? "the text" : place_, what);
  }
  void set_problem(const std::string& place, const std::string& what) {
    if (!problem_) problem_ = Error{ErrorKind::Corrupt, "not a measurement: " + place + ' ' + what};
  }
  bool is_null(const char* name) const {
    const auto found = json_.find(name);
    return found != json_.end() && found->is_null();
  }
  template <typename Fits>
  const Json* find(const char* name, const char* wanted, Fits fits) {
    if (problem_) return nullptr;
    const auto found = json_.find(name);
    if (found != json_.end() && fits(*found)) return &*found;
    complain_of(name, found == json_.end() ? "is missing" : std::string("is not ") + wanted);
    return nullptr;
  }
  template <typename Take>
  void for_each(const char* name, Take take) {
    const Json* list = find(name, "a list", [](const Json& json) { return json.is_array(); });
    if (list == nullptr) return;
    for (std::size_t i = 0; i < list->size() && !problem_; ++i) {
      take((*list)[i], place_of(name) + '[' + std::to_string(i) + ']');
    }
  }

  const Json& json_;
  std::string place_;
  std::optional<Error>& problem_;
};

}  // namespace sightline::measure
