// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace sightline::profile {

std::string format_time(double ns);             // "840 ns", "12.3 µs", "4.56 ms", "1.23 s"
std::string format_bytes(double bytes);         // "512 B", "1.50 KiB", "12.3 MiB", "4.56 GiB"
std::string format_count(double count);         // "1,234", or "2.5" where it is no whole number
std::string format_amount(double count);        // "1,234", "12.3 k", "4.56 M", "1.82 G", "7.00 T"
std::string format_percent(double percent);     // "0.4 %", "38.6 %", "100 %"
std::string format_ratio(double ratio);         // "0.12", "4.56", "38.6", "1234"
std::string format_bytes(std::uint64_t bytes);  // as above

}  // namespace sightline::profile
