#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

constexpr double kConstantShare = 0.01;
constexpr double kConstantWarningShare = 0.10;

// Operators that make something of numbers alone...
constexpr std::array<std::string_view, 10> kMakers = {
    "aten::arange", "aten::linspace", "aten::eye",  "aten::ones",         "aten::zeros",
    "aten::full",   "aten::tril",     "aten::triu", "aten::tril_indices", "aten::triu_indices"};

// ...and what they call or are followed by, which adds no other input.
constexpr std::array<std::string_view, 26> kFollowers = {
    "aten::empty",         "aten::fill_",   "aten::zero_",     "aten::resize_",
    "aten::empty_strided", "aten::to",      "aten::_to_copy",  "aten::copy_",
    "aten::view",          "aten::reshape", "aten::unsqueeze", "aten::expand",
    "aten::transpose",     "aten::t",       "aten::permute",   "aten::eq",
    "aten::logical_not",   "aten::pow",     "aten::exp",       "aten::sin",
    "aten::cos",           "aten::neg",     "aten::mul",       "aten::div",
    "aten::as_strided",    "aten::detach_"};

bool is_in(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// All that the line does is to make something out of numbers, and nothing is learned through it.
bool makes_a_constant(const LineUse& use) {
  bool makes = false;
  for (const auto& [name, op] : use.operators) {
    if (is_in(kMakers, name)) makes = true;
    if (!is_in(kMakers, name) && !is_in(kFollowers, name)) return false;
  }
  return makes && use.times.backward() == 0 && use.times.optimizer() == 0;
}

}  // namespace

void find_repeated_constants(const Facts& facts, std::vector<Finding>& findings) {
  for (const LineUse& use : facts.lines) {
    const double share = facts.share(use.times.sum());
    if (share < kConstantShare || !use.in_module || !makes_a_constant(use)) continue;
    if (facts.per_step(use.python_calls) < 1) continue;
    Finding finding =
        finding_at("repeated-constant", severity_of(share, kConstantWarningShare), &use);
    finding.title = "one line makes the same constant in every step, " +
                    facts.time(use.times.sum()) + " each time round";
    finding.evidence = {{"ms", facts.ms_per_step(use.times.sum())},
                        {"share_percent", 100 * share},
                        {"gain_percent", 100 * share}};
    finding.advice =
        "If it depends on nothing but sizes, make it once in __init__ and keep it with "
        "self.register_buffer(name, tensor, persistent=False).";
    findings.push_back(std::move(finding));
  }
}

}  // namespace sightline::profile
