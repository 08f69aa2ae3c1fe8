#include "server/edit/integer_expression.h"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace sightline::server {
namespace {

using Value = std::optional<std::int64_t>;

constexpr std::int64_t kMostShift = 62;

Value literal_value(std::string_view text) {
  std::string digits;
  for (const char one : text) {
    if (one != '_') digits += one;
  }
  int base = 10;
  if (digits.size() > 2 && digits.front() == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    if (base != 10) digits.erase(0, 2);
  }
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

// Python rounds down, not towards zero.
Value floor_divided(std::int64_t left, std::int64_t right) {
  if (right == 0 || (right == -1 && left == INT64_MIN)) return std::nullopt;
  const std::int64_t quotient = left / right;
  return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

Value product(std::int64_t left, std::int64_t right) {
  std::int64_t value = 0;
  return __builtin_mul_overflow(left, right, &value) ? std::nullopt : Value(value);
}

Value power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0 || exponent > kMostShift) return std::nullopt;
  Value value = 1;
  for (std::int64_t count = 0; value && count < exponent; ++count) value = product(*value, base);
  return value;
}

Value shifted(std::int64_t value, std::int64_t by) {
  const Value factor = power(2, by);
  return factor ? product(value, *factor) : std::nullopt;
}

Value combined(std::string_view by, std::int64_t left, std::int64_t right) {
  std::int64_t value = 0;
  if (by == "+") return __builtin_add_overflow(left, right, &value) ? std::nullopt : Value(value);
  if (by == "-") return __builtin_sub_overflow(left, right, &value) ? std::nullopt : Value(value);
  if (by == "*") return product(left, right);
  if (by == "//") return floor_divided(left, right);
  if (by == "%") {
    const Value quotient = floor_divided(left, right);
    return quotient ? Value(left - *quotient * right) : std::nullopt;
  }
  if (by == "<<") return shifted(left, right);
  if (by == ">>") return right >= 0 && right <= kMostShift ? Value(left >> right) : std::nullopt;
  if (by == "&") return left & right;
  if (by == "^") return left ^ right;
  return left | right;
}

// How strongly an operator of two sides binds, as in Python's grammar; 0: it is none of ours.
int strength(std::string_view by) {
  constexpr std::array<std::pair<std::string_view, int>, 10> kStrengths = {{{"|", 1},
                                                                            {"^", 2},
                                                                            {"&", 3},
                                                                            {"<<", 4},
                                                                            {">>", 4},
                                                                            {"+", 5},
                                                                            {"-", 5},
                                                                            {"*", 6},
                                                                            {"//", 6},
                                                                            {"%", 6}}};
  for (const auto& [word, value] : kStrengths) {
    if (word == by) return value;
  }
  return 0;
}

class Evaluation {
 public:
  Evaluation(const PythonSource& source, std::size_t from, std::size_t to)
      : source_(source), at_(from), to_(to) {}

  Value whole() {
    const Value value = of_strength(1);
    return at_ == to_ ? value : std::nullopt;
  }

 private:
  std::string_view next() const { return at_ < to_ ? source_.word(at_) : std::string_view(); }

  Value of_strength(int least) {
    Value left = with_sign();
    while (left && strength(next()) >= least) {
      const std::string_view by = next();
      ++at_;
      const Value right = of_strength(strength(by) + 1);
      if (!right) return std::nullopt;
      left = combined(by, *left, *right);
    }
    return left;
  }

  Value with_sign() {
    const std::string_view sign = next();
    if (sign != "-" && sign != "+" && sign != "~") return raised();
    if (++depth_ > kDeepest) return std::nullopt;
    ++at_;
    const Value value = with_sign();
    if (!value || sign == "+") return value;
    return sign == "-" ? combined("-", 0, *value) : Value(~*value);
  }

  Value raised() {
    const Value base = atom();
    if (!base || next() != "**") return base;
    ++at_;
    const Value exponent = with_sign();
    return exponent ? power(*base, *exponent) : std::nullopt;
  }

  Value atom() {
    if (at_ >= to_) return std::nullopt;
    if (source_.is(at_, "(")) {
      if (++depth_ > kDeepest) return std::nullopt;
      ++at_;
      const Value value = of_strength(1);
      if (next() != ")") return std::nullopt;
      ++at_;
      return value;
    }
    if (source_[at_].kind != PythonToken::Kind::Number) return std::nullopt;
    return literal_value(source_.word(at_++));
  }

  static constexpr int kDeepest = 100;
  const PythonSource& source_;
  std::size_t at_;
  const std::size_t to_;
  int depth_ = 0;
};

}  // namespace

std::optional<std::int64_t> integer_value(const PythonSource& source, std::size_t from,
                                          std::size_t to) {
  return Evaluation(source, from, to).whole();
}

}  // namespace sightline::server
