#include "core/supervise/statistics/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sightline::supervise {
namespace {

// Below 2^-126 cells do not get narrower any more, so bins must not either.
constexpr int kNarrowestBin = -131;

// Of the power of two that a cell lies in.
int exponent_of(const Sketch::Cell& cell) {
  return cell.lower == 0 ? std::ilogb(cell.upper) - 1 : std::ilogb(cell.lower);
}

}  // namespace

// A bin is never narrower than a cell of the highest power of two, so every cell lies in one bin.
LinearHistogram::LinearHistogram(const Sketch& sketch) {
  const std::vector<Sketch::Cell> cells = sketch.cells();
  for (const Sketch::Cell& cell : cells) {
    constexpr int kBinsOfHighestPower = 4;  // 2^4 of them: half of the 32 on a side
    exponent_ = std::max({exponent_, exponent_of(cell) - kBinsOfHighestPower, kNarrowestBin});
  }
  for (const Sketch::Cell& cell : cells) {
    const int bin = static_cast<int>(std::ldexp(cell.lower, -exponent_));
    const bool below = cell.negative && cell.lower > 0;
    counts_[static_cast<std::size_t>(below ? kBins / 2 - 1 - bin : kBins / 2 + bin)] += cell.count;
  }
}

void LinearHistogram::widen(int exponent) {
  for (; exponent_ != kEmpty && exponent_ < exponent; ++exponent_) {
    std::array<std::uint64_t, kBins> wider = {};
    for (std::size_t bin = 0; bin < kBins; ++bin) wider[kBins / 4 + bin / 2] += counts_[bin];
    counts_ = wider;
  }
  exponent_ = std::max(exponent_, exponent);
}

void LinearHistogram::merge(const LinearHistogram& other) {
  LinearHistogram wider = other;
  wider.widen(exponent_);
  widen(wider.exponent_);
  for (std::size_t bin = 0; bin < kBins; ++bin) counts_[bin] += wider.counts_[bin];
}

std::vector<HistogramBin> LinearHistogram::bins() const {
  std::vector<HistogramBin> bins;
  if (exponent_ == kEmpty) return bins;
  for (int bin = 0; bin < kBins; ++bin) {
    bins.push_back({std::ldexp(bin - kBins / 2, exponent_),
                    std::ldexp(bin - kBins / 2 + 1, exponent_),
                    counts_[static_cast<std::size_t>(bin)]});
  }
  return bins;
}

std::uint64_t LinearHistogram::count() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

LogHistogram::LogHistogram(const Sketch& sketch) {
  for (const Sketch::Cell& cell : sketch.cells()) {
    const int power = std::max(0, exponent_of(cell) - kLowest + 1);  // 0: in the middle
    counts_[static_cast<std::size_t>(cell.negative ? kMiddle - power : kMiddle + power)] +=
        cell.count;
  }
}

void LogHistogram::merge(const LogHistogram& other) {
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) counts_[bin] += other.counts_[bin];
}

std::vector<HistogramBin> LogHistogram::bins() const {
  std::vector<HistogramBin> bins;
  const double smallest = std::ldexp(1, kLowest);
  for (int bin = 0; bin < static_cast<int>(counts_.size()); ++bin) {
    const std::uint64_t count = counts_[static_cast<std::size_t>(bin)];
    const int power = std::abs(bin - kMiddle) + kLowest - 1;
    if (bin < kMiddle) {
      bins.push_back({-std::ldexp(1, power + 1), -std::ldexp(1, power), count});
    } else if (bin == kMiddle) {
      bins.push_back({-smallest, smallest, count});
    } else {
      bins.push_back({std::ldexp(1, power), std::ldexp(1, power + 1), count});
    }
  }
  const auto holds = [](const HistogramBin& bin) { return bin.count > 0; };
  bins.erase(bins.begin(), std::find_if(bins.begin(), bins.end(), holds));
  bins.erase(std::find_if(bins.rbegin(), bins.rend(), holds).base(), bins.end());
  return bins;
}

std::uint64_t LogHistogram::count() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

}  // namespace sightline::supervise
