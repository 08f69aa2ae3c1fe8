#include "core/supervise/metrics/unit_window.h"

#include <algorithm>
#include <numeric>

namespace sightline::supervise {

UnitWindow::UnitWindow(std::size_t units, std::size_t steps)
    : units_(units),
      window_(std::max<std::size_t>(steps, 1)),
      active_(units * window_),
      values_(window_) {}

void UnitWindow::add(const UnitActivity& output) {
  if (output.active.size() != units_ || output.values == 0) return;
  const std::size_t place = seen_++ % window_;
  values_[place] = output.values;
  std::copy(output.active.begin(), output.active.end(),
            active_.begin() + static_cast<std::ptrdiff_t>(place * units_));
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
