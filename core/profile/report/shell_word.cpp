#include "core/profile/report/shell_word.h"

#include "core/profile/report/safe_text.h"

namespace sightline::profile {

std::string shell_word(std::string_view text) {
  static constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";
  std::string safe = printable(text);
  if (!safe.empty() && safe.find_first_not_of(kPlain) == std::string::npos) return safe;
  std::string word = "'";
  for (const char c : safe) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace sightline::profile
