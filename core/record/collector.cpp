#include "core/record/collector.h"

#include <atomic>

namespace sightline::record {
namespace {

std::atomic<Collector*> current{nullptr};

}  // namespace

void register_collector(Collector* collector) { current.store(collector); }

Collector* registered_collector() { return current.load(); }

}  // namespace sightline::record
