#include "server/query.h"

#include <algorithm>
#include <charconv>

namespace sightline::server {

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> number_of(const Request& request, const std::string& name,
                                       std::uint64_t otherwise) {
  const auto asked = request.query.find(name);
  return asked == request.query.end() ? otherwise : number_in(asked->second);
}

std::optional<std::vector<std::uint64_t>> numbers_of(const Request& request,
                                                     const std::string& name) {
  std::vector<std::uint64_t> numbers;
  const std::string text = text_of(request, name);
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::optional<std::uint64_t> number = number_in(text.substr(from, comma - from));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    from = comma + 1;
  }
  return numbers;
}

std::string text_of(const Request& request, const std::string& name) {
  const auto asked = request.query.find(name);
  return asked == request.query.end() ? "" : asked->second;
}

}  // namespace sightline::server
