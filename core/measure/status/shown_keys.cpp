#include "core/measure/status/shown_keys.h"

#include <algorithm>
#include <iterator>

namespace sightline::measure {
namespace {

constexpr const char* kUsualOrder[] = {"model_size",       "flops",          "total_params",
                                       "memory_footprint", "execution_time", "inference_time"};

std::vector<std::string> wanted_order(const std::vector<std::string>& secondary,
                                      const ShownKeys& shown) {
  if (!shown.order.empty()) return shown.order;
  std::vector<std::string> order = {"eval_metric"};
  order.insert(order.end(), secondary.begin(), secondary.end());
  order.insert(order.end(), std::begin(kUsualOrder), std::end(kUsualOrder));
  return order;
}

}  // namespace

std::vector<std::string> shown_keys(const std::vector<std::string>& keys,
                                    const std::vector<std::string>& secondary,
                                    const ShownKeys& shown) {
  std::vector<std::string> result;
  const auto is_in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto show = [&](const std::string& key) {
    if (is_in(keys, key) && !is_in(shown.excluded, key) && !is_in(result, key)) {
      result.push_back(key);
    }
  };
  for (const std::string& key : wanted_order(secondary, shown)) show(key);
  if (shown.leftovers) {
    for (const std::string& key : keys) show(key);
  }
  return result;
}

}  // namespace sightline::measure
