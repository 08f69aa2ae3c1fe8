// Messages of clients: whatever they send, they are understood or not, and nothing else happens.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/client_message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto message = sightline::server::parse_client_message(text);
  (void)sightline::server::protocol_problem(message.number);
  return 0;
}
