// Walks over the characters of text that may not be UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sightline {

struct Character {
  char32_t code = 0;     // U+FFFD where the bytes are no character
  std::size_t size = 0;  // bytes taken, at least one
  bool valid = false;
};

// The character at the start of a text that is not empty. Overlong forms, surrogates and codes
// beyond U+10FFFF are not valid.
Character first_character(std::string_view text);

void append_utf8(std::string& text, char32_t code);

// How many columns a terminal gives to the character.
std::size_t columns_of(char32_t code);

}  // namespace sightline
