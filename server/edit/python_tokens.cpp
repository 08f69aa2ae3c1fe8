#include "server/edit/python_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sightline::server {
namespace {

using TokenKind = PythonToken::Kind;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLongestPrefix = 2;  // of a string: rb, fr, ...

constexpr std::array<std::string_view, 24> kLongOperators = {
    "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", ":=", "->", "==",
    "!=",  "<=",  ">=",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "@="};

bool is_digit(char one) { return one >= '0' && one <= '9'; }

// Letters beyond ASCII are letters: their bytes are.
bool is_name_part(char one) {
  return one == '_' || is_digit(one) || (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') ||
         static_cast<unsigned char>(one) >= 0x80;
}

bool is_quote(char one) { return one == '"' || one == '\''; }

bool is_string_prefix(std::string_view name) {
  return name.size() <= kLongestPrefix && std::all_of(name.begin(), name.end(), [](char one) {
           return std::string_view("rbfutRBFUT").find(one) != std::string_view::npos;
         });
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {
    if (source_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    line_start_ = at_;
  }

  std::vector<PythonToken> all() {
    while (at_ < source_.size()) step();
    end_statement();
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void step() {
    const char one = peek();
    if (one == '\n' || one == '\r') {
      if (depth_ == 0) end_statement();
      pass_line_end();
    } else if (one == ' ' || one == '\t' || one == '\f') {
      ++at_;
    } else if (one == '#') {
      while (at_ < source_.size() && peek() != '\n' && peek() != '\r') ++at_;
    } else if (one == '\\' && (peek(1) == '\n' || peek(1) == '\r')) {
      ++at_;
      pass_line_end();
    } else if (is_quote(one)) {
      add_string(at_);
    } else if (is_digit(one) || (one == '.' && is_digit(peek(1)))) {
      add_number();
    } else if (is_name_part(one)) {
      add_name();
    } else {
      add_operator();
    }
  }

  void pass_line_end() {
    at_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
    ++line_;
    line_start_ = at_;
  }

  void add(TokenKind kind, std::size_t begin, std::uint32_t line) {
    const bool first = tokens_.empty() || tokens_.back().kind == TokenKind::LineEnd;
    tokens_.push_back({kind, begin, at_, line, first && begin == line_start_});
  }

  void end_statement() {
    if (tokens_.empty() || tokens_.back().kind == TokenKind::LineEnd) return;
    tokens_.push_back({TokenKind::LineEnd, at_, at_, line_, false});
  }

  void add_name() {
    const std::size_t begin = at_;
    while (at_ < source_.size() && is_name_part(peek())) ++at_;
    const std::string_view name = source_.substr(begin, at_ - begin);
    if (is_quote(peek()) && is_string_prefix(name)) {
      add_string(begin);
    } else {
      add(TokenKind::Name, begin, line_);
    }
  }

  void add_number() {
    const std::size_t begin = at_;
    while (is_name_part(peek()) || peek() == '.') ++at_;
    add(TokenKind::Number, begin, line_);
  }

  // A backslash keeps the quote after it from closing the string, also a raw one.
  void add_string(std::size_t begin) {
    const std::uint32_t line = line_;
    const char quote = peek();
    const std::string three(3, quote);
    const bool is_long = source_.substr(at_, 3) == three;
    at_ += is_long ? 3 : 1;
    while (at_ < source_.size()) {
      const char one = peek();
      if (one == '\\' && at_ + 1 < source_.size()) {
        ++at_;
        if (peek() == '\n' || peek() == '\r') {
          pass_line_end();
        } else {
          ++at_;
        }
      } else if (one == '\n' || one == '\r') {
        if (!is_long) break;  // it was not closed
        pass_line_end();
      } else if (is_long ? source_.substr(at_, 3) == three : one == quote) {
        at_ += is_long ? 3 : 1;
        break;
      } else {
        ++at_;
      }
    }
    add(TokenKind::String, begin, line);
  }

  void add_operator() {
    const std::size_t begin = at_;
    const char one = peek();
    const auto* longer =
        std::find_if(kLongOperators.begin(), kLongOperators.end(),
                     [&](std::string_view text) { return source_.substr(at_).starts_with(text); });
    at_ += longer == kLongOperators.end() ? 1 : longer->size();
    if (one == '(' || one == '[' || one == '{') ++depth_;
    if ((one == ')' || one == ']' || one == '}') && depth_ > 0) --depth_;
    add(TokenKind::Operator, begin, line_);
    if (one == ';' && depth_ == 0) tokens_.back().kind = TokenKind::LineEnd;
  }

  const std::string_view source_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  int depth_ = 0;
  std::vector<PythonToken> tokens_;
};

}  // namespace

std::vector<PythonToken> python_tokens(std::string_view source) { return Lexer(source).all(); }

PythonSource::PythonSource(std::string text)
    : text_(std::move(text)), tokens_(python_tokens(text_)) {}

std::string_view PythonSource::word(std::size_t at) const {
  return is_line_end(at) ? std::string_view() : words(at, at + 1);
}

std::string_view PythonSource::words(std::size_t from, std::size_t to) const {
  const std::size_t begin = tokens_[from].begin;
  return std::string_view(text_).substr(begin, tokens_[to - 1].end - begin);
}

bool PythonSource::is_name(std::size_t at) const {
  return at < size() && tokens_[at].kind == TokenKind::Name;
}

bool PythonSource::is_line_end(std::size_t at) const {
  return at >= size() || tokens_[at].kind == TokenKind::LineEnd;
}

std::size_t PythonSource::next_statement(std::size_t at) const {
  while (!is_line_end(at)) ++at;
  return std::min(at + 1, size());
}

std::size_t PythonSource::closing(std::size_t at) const {
  int depth = 0;
  for (; at < size(); ++at) {
    const std::string_view one = word(at);
    if (one == "(" || one == "[" || one == "{") ++depth;
    if (one == ")" || one == "]" || one == "}") --depth;
    if (depth == 0) return at;
  }
  return size();
}

}  // namespace sightline::server
