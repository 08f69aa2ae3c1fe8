#include "cli/user_failure.h"

#include <cstdio>

#include "cli/child_process.h"
#include "cli/complaint.h"

namespace sightline::cli {

int report_failure(const worker::Failure& failure) {
  std::fputs(worker::render(failure).c_str(), stderr);
  if (failure.kind != worker::Failure::Kind::Interrupted) {
    return failure.kind == worker::Failure::Kind::Unusable ? kExitWrongUse : kExitFailure;
  }
  std::fflush(nullptr);
  die_by(failure.signal);
  return 128 + failure.signal;
}

}  // namespace sightline::cli
