#include "core/supervise/metrics/unit_window.h"

#include <algorithm>
#include <numeric>

namespace sightline::supervise {

UnitWindow::UnitWindow(std::size_t units, std::size_t steps)
    : units_(units),
      window_(std::max<std::size_t>(steps, 1)),
      active_(units * window_),
      values_(window_) {}

void UnitWindow::add(std::span<const float> output, const UnitLayout& layout, ActiveRange active) {
  const std::size_t size = layout.samples * layout.units * layout.positions;
  if (layout.units != units_ || size == 0 || output.size() != size) return;
  const std::size_t place = seen_++ % window_;
  values_[place] = layout.samples * layout.positions;
  const std::span counts = std::span(active_).subspan(place * units_, units_);
  std::fill(counts.begin(), counts.end(), 0);
  const float* value = output.data();
  for (std::size_t sample = 0; sample < layout.samples; ++sample) {
    for (std::uint64_t& count : counts) {
      for (std::size_t position = 0; position < layout.positions; ++position, ++value) {
        count += *value > active.above && *value < active.below ? 1 : 0;
      }
    }
  }
}

std::size_t UnitWindow::steps() const { return std::min(seen_, window_); }

double UnitWindow::idle_share(double activity) const {
  if (seen_ < window_ || units_ == 0) return 0;
  const auto values =
      static_cast<double>(std::accumulate(values_.begin(), values_.end(), std::uint64_t{0}));
  std::size_t idle = 0;
  for (std::size_t unit = 0; unit < units_; ++unit) {
    std::uint64_t active = 0;
    for (std::size_t place = 0; place < window_; ++place) active += active_[place * units_ + unit];
    if (static_cast<double>(active) < activity * values) ++idle;
  }
  return static_cast<double>(idle) / static_cast<double>(units_);
}

}  // namespace sightline::supervise
