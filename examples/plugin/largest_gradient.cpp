// A subscriber that is compiled outside of Sightline: it remembers the largest gradient of every
// parameter, publishes it under a topic of its own, and writes all of them to a file at the end.
//
//   include=$(python -c 'from sightline.supervise import plugin_include; print(plugin_include())')
//   g++ -shared -fPIC -O2 -I "$include" largest_gradient.cpp -o largest_gradient.so
//
//   exporter.subscribe(sightline.supervise.load_plugin("largest_gradient.so", "largest.txt"))
#include <sightline/plugin.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>

namespace {

struct LargestGradient {
  const sightline_host* host;
  std::string file;
  std::map<std::string, double> largest;
};

// Any strides: the last dimension is gone through by recursion too.
double largest_in(const sightline_tensor& values, int dimension, const float* at) {
  if (dimension == values.dimensions) return std::fabs(*at);
  double largest = 0;
  for (std::int64_t i = 0; i < values.sizes[dimension]; ++i) {
    largest =
        std::fmax(largest, largest_in(values, dimension + 1, at + i * values.strides[dimension]));
  }
  return largest;
}

void* create(const sightline_host* host, const char* options) {
  return new LargestGradient{host, options, {}};
}

int receive(void* self, const sightline_message* message) {
  auto& own = *static_cast<LargestGradient*>(self);
  if (message->payload != SIGHTLINE_TENSOR) return 0;
  if (message->values.element_type != SIGHTLINE_FLOAT32) return 0;
  const double found =
      largest_in(message->values, 0, static_cast<const float*>(message->values.data));
  double& known = own.largest[std::string(message->module) + "." + message->tensor];
  known = std::fmax(known, found);
  return own.host->publish(own.host->handle, "largest_gradient", message, known);
}

void destroy(void* self) {
  const auto* own = static_cast<LargestGradient*>(self);
  if (!own->file.empty()) {
    std::ofstream file(own->file);
    for (const auto& [name, value] : own->largest) file << name << ' ' << value << '\n';
  }
  delete own;
}

const char* const kTopics[] = {"weight_gradients", "bias_gradients", "parameter_gradients",
                               nullptr};
const char* const kPublications[] = {"largest_gradient", nullptr};

}  // namespace

extern "C" const sightline_plugin_description* sightline_plugin() {
  static const sightline_plugin_description description = {SIGHTLINE_PLUGIN_VERSION,
                                                           "largest gradient",
                                                           kTopics,
                                                           kPublications,
                                                           "training",
                                                           1,
                                                           create,
                                                           receive,
                                                           destroy};
  return &description;
}
