// Measurements as text: whatever is read can be written and shown, and reads as the same again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/measure/layer_table.h"
#include "core/measure/measurement_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sightline::measure;  // NOLINT(google-build-using-namespace)
  const auto read = read_measurement_json({reinterpret_cast<const char*>(data), size});
  if (!read) return 0;
  (void)layer_table(read.value());
  (void)layer_table(read.value(), {.flat = true, .depth = 1, .sort = LayerSort::Time});
  const std::string written = measurement_json(read.value());
  const auto again = read_measurement_json(written);
  if (!again || measurement_json(again.value()) != written) std::abort();
  return 0;
}
