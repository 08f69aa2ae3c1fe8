#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/profile/findings/rules.h"
#include "core/profile/report/units.h"

namespace sightline::profile {
namespace {

// On the CPU nothing waits, and a single loss.item() in a step is what everybody writes.
constexpr double kCallsOnCpu = 2;
constexpr double kCallsOnAccelerator = 1;

// .item(), float(tensor), if tensor: ...
constexpr std::string_view kReadValue = "aten::_local_scalar_dense";
constexpr std::string_view kCopy = "aten::_to_copy";
constexpr std::array<std::string_view, 3> kCopiesBack = {".cpu(", ".numpy(", ".tolist("};

// The optimizer's own do not wait: its step counts are on the CPU.
std::uint64_t calls_of(const LineUse& use, std::string_view name) {
  const auto found = use.operators.find(std::string(name));
  if (found == use.operators.end() || found->second.times.optimizer() > 0) return 0;
  return found->second.calls;
}

bool copies_back(const LineUse& use) {
  return use.source && std::any_of(kCopiesBack.begin(), kCopiesBack.end(), [&](auto text) {
           return use.source->find(text) != std::string::npos;
         });
}

}  // namespace

void find_synchronising_calls(const Facts& facts, std::vector<Finding>& findings) {
  const bool accelerator = facts.on_accelerator();
  for (const LineUse& use : facts.lines) {
    std::uint64_t waits = calls_of(use, kReadValue);
    if (accelerator && copies_back(use)) waits += calls_of(use, kCopy);
    const double calls = facts.per_step(waits);
    if (calls < (accelerator ? kCallsOnAccelerator : kCallsOnCpu)) continue;
    Finding finding =
        finding_at("synchronising-calls", accelerator ? Severity::Warning : Severity::Info, &use);
    finding.title = "one line reads values back into Python " + format_count(std::round(calls)) +
                    (std::round(calls) == 1 ? " time" : " times") + " in a step";
    finding.evidence = {{"calls", calls}};
    finding.advice =
        std::string(accelerator ? "Each waits until the device has done all that was asked of "
                                  "it before"
                                : "On the CPU that costs little; on a GPU each waits until "
                                  "the device has done all that was asked of it before") +
        ": keep sums on the device, and read them every so many steps.";
    findings.push_back(std::move(finding));
  }
}

}  // namespace sightline::profile
