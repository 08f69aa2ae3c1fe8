#include "cli/threshold_options.h"

#include <charconv>
#include <system_error>

#include "cli/complaint.h"

namespace sightline::cli {
namespace {

Result<std::pair<std::string, double>> divided(const std::string& text) {
  const std::size_t sign = text.find('=');
  double value = 0;
  const char* const end = text.data() + text.size();
  const char* const begin = sign == std::string::npos ? end : text.data() + sign + 1;
  const auto [read, failure] = std::from_chars(begin, end, value);
  if (failure != std::errc() || read != end) {
    return wrong_use("--threshold " + text + ": NAME=VALUE was expected, with a number as value");
  }
  return std::pair(text.substr(0, sign), value);
}

}  // namespace

void describe_thresholds(CLI::App& app, std::vector<std::string>& given, const char* about) {
  app.add_option("--threshold", given, about)->type_name("NAME=VALUE")->expected(1)->take_all();
}

Result<NamedValues> threshold_values(const std::vector<std::string>& given) {
  NamedValues values;
  supervise::Thresholds thresholds;
  for (const std::string& text : given) {
    Result<std::pair<std::string, double>> named = divided(text);
    if (!named) return named.error();
    if (const Result<void> set = supervise::set_threshold(thresholds, named->first, named->second);
        !set) {
      return wrong_use("--threshold: " + set.error().message);
    }
    values.push_back(std::move(named).value());
  }
  return values;
}

Result<supervise::Thresholds> thresholds_of(const std::vector<std::string>& given) {
  const Result<NamedValues> values = threshold_values(given);
  if (!values) return values.error();
  supervise::Thresholds thresholds;
  for (const auto& [name, value] : values.value()) {
    (void)supervise::set_threshold(thresholds, name, value);
  }
  return thresholds;
}

}  // namespace sightline::cli
