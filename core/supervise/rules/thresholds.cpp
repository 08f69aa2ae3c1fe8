#include "core/supervise/rules/thresholds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <variant>

namespace sightline::supervise {
namespace {

using Figure = double Thresholds::*;
using Count = std::uint64_t Thresholds::*;

constexpr double kMostCounted = 1e6;  // rules keep as many values as a window has steps

struct NamedThreshold {
  const char* name;
  std::variant<Figure, Count> member;
  double least = 1;  // of a count
};

constexpr NamedThreshold kThresholds[] = {
    {"vanishing_abs_mean", &Thresholds::vanishing_abs_mean},
    {"exploding_times_median", &Thresholds::exploding_times_median},
    {"exploding_history", &Thresholds::exploding_history},
    {"dead_share", &Thresholds::dead_share},
    {"saturated_share", &Thresholds::saturated_share},
    {"update_ratio_high", &Thresholds::update_ratio_high},
    {"update_ratio_low", &Thresholds::update_ratio_low},
    {"initial_steps", &Thresholds::initial_steps, 0},
    {"initial_variance_ratio", &Thresholds::initial_variance_ratio},
    {"initial_gradient_spread", &Thresholds::initial_gradient_spread},
    {"initial_flat_loss_steps", &Thresholds::initial_flat_loss_steps},
    {"unchanged_steps", &Thresholds::unchanged_steps},
    {"zero_share", &Thresholds::zero_share},
    {"zero_steps", &Thresholds::zero_steps},
    {"loss_window", &Thresholds::loss_window},
    {"loss_least_decrease_percent", &Thresholds::loss_least_decrease_percent},
    {"overfit_ratio", &Thresholds::overfit_ratio},
    {"overfit_patience", &Thresholds::overfit_patience, 0},
    {"step_time_deviations", &Thresholds::step_time_deviations},
    {"step_time_outliers", &Thresholds::step_time_outliers},
    {"step_time_least_steps", &Thresholds::step_time_least_steps},
    {"memory_window", &Thresholds::memory_window},
    {"memory_increase_percent", &Thresholds::memory_increase_percent},
};

Error wrong(std::string message) { return {ErrorKind::InvalidArgument, std::move(message)}; }

Error unknown(std::string_view name) {
  std::vector<std::string_view> names;
  std::ranges::transform(kThresholds, std::back_inserter(names), &NamedThreshold::name);
  return wrong(fmt::format("there is no threshold '{}'; the thresholds are {}", name,
                           fmt::join(names, ", ")));
}

}  // namespace

Result<void> set_threshold(Thresholds& thresholds, std::string_view name, double value) {
  const auto* const found = std::ranges::find(
      kThresholds, name, [](const NamedThreshold& one) { return std::string_view(one.name); });
  if (found == std::end(kThresholds)) return unknown(name);
  if (!std::isfinite(value)) return wrong(fmt::format("{} has to be a finite number", name));
  if (const auto* figure = std::get_if<Figure>(&found->member)) {
    thresholds.*(*figure) = value;
    return {};
  }
  if (value != std::floor(value) || value < found->least || value > kMostCounted) {
    return wrong(fmt::format("{} is a count: a whole number from {} to {}", name, found->least,
                             kMostCounted));
  }
  thresholds.*std::get<Count>(found->member) = static_cast<std::uint64_t>(value);
  return {};
}

}  // namespace sightline::supervise
