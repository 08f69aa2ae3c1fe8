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
constexpr std::array<std::string_view, 8> kMakers = {
    "aten::arange", "aten::linspace", "aten::eye",          "aten::ones",
    "aten::zeros",  "aten::full",     "aten::tril_indices", "aten::triu_indices"};

// ...what they call or are followed by, which takes one tensor...
constexpr std::array<std::string_view, 24> kFollowers = {
    "aten::empty",         "aten::fill_",   "aten::zero_",      "aten::resize_",
    "aten::empty_strided", "aten::to",      "aten::_to_copy",   "aten::copy_",
    "aten::view",          "aten::reshape", "aten::unsqueeze",  "aten::expand",
    "aten::transpose",     "aten::t",       "aten::permute",    "aten::logical_not",
    "aten::exp",           "aten::sin",     "aten::cos",        "aten::neg",
    "aten::tril",          "aten::triu",    "aten::as_strided", "aten::detach_"};

// ...and what may join two.
constexpr std::array<std::string_view, 4> kJoiners = {"aten::eq", "aten::mul", "aten::div",
                                                      "aten::pow"};

bool is_in(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// All that the line does is to make something out of numbers, and nothing is learned through it. So
// many makers have something to join only among themselves if there are fewer joiners; else one may
// have brought in an input: ids.eq(torch.arange(10)).
bool makes_a_constant(const LineUse& use) {
  std::uint64_t made = 0;
  std::uint64_t joined = 0;
  for (const auto& [name, op] : use.operators) {
    if (is_in(kMakers, name)) {
      made += op.python_calls;
    } else if (is_in(kJoiners, name)) {
      joined += op.python_calls;
    } else if (!is_in(kFollowers, name)) {
      return false;
    }
  }
  return made > joined && use.times.backward() == 0 && use.times.optimizer() == 0;
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
