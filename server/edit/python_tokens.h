// Python source in tokens: as much of the language's lexical rules as it takes to find a definition
// and to change some characters of it, and no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::server {

struct PythonToken {
  enum class Kind {
    Name,
    Number,
    String,
    Operator,  // of one character, but for ** // << >> := -> and those with = at the end
    LineEnd,   // of a statement; not within brackets, and not of empty lines
  };
  Kind kind = Kind::LineEnd;
  std::size_t begin = 0;  // bytes of the source
  std::size_t end = 0;
  std::uint32_t line = 1;
  bool at_margin = false;  // the first of its statement, and not indented
};

// Never fails: what is not Python gives tokens that make no sense.
std::vector<PythonToken> python_tokens(std::string_view source);

// A source with its tokens.
class PythonSource {
 public:
  explicit PythonSource(std::string text);

  const std::string& text() const { return text_; }
  std::size_t size() const { return tokens_.size(); }
  const PythonToken& operator[](std::size_t at) const { return tokens_[at]; }
  std::string_view word(std::size_t at) const;  // empty beyond the end, and for a line's end
  std::string_view words(std::size_t from, std::size_t to) const;  // with what is between them
  bool is(std::size_t at, std::string_view word) const { return this->word(at) == word; }
  bool is_name(std::size_t at) const;
  bool is_line_end(std::size_t at) const;  // also beyond the end
  // The first token of the next statement.
  std::size_t next_statement(std::size_t at) const;
  // Of the bracket that closes the one at `at`; size() if none does.
  std::size_t closing(std::size_t at) const;

 private:
  std::string text_;
  std::vector<PythonToken> tokens_;
};

}  // namespace sightline::server
