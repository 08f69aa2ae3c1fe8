// What the cells of tables for people say. Internal to this room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::measure {

std::string count_cell(std::uint64_t number);  // "4,089,184,256"
std::string bytes_cell(std::uint64_t bytes);   // "97.5 MiB"
std::string ms_cell(double milliseconds);      // "1.250"
std::string share_cell(double share);          // "12.5 %"
std::string text_cell(std::string_view text);  // control characters become "?"

}  // namespace sightline::measure
