#include "core/profile/compare/judge.h"

#include <cmath>

namespace sightline::profile {
namespace {

constexpr double kErrors = 2.0;
constexpr double kFloorOfPart = 0.01;
constexpr double kFloorOfStep = 0.001;

double combined(double before_error, double after_error) {
  return kErrors * std::hypot(before_error, after_error);
}

Verdict by_sign(double difference) { return difference > 0.0 ? Verdict::Worse : Verdict::Better; }

void mark_absent(Change& change, Presence presence) {
  if (presence == Presence::OnlyBefore) {
    change.after.reset();
    change.verdict = Verdict::Removed;
  } else if (presence == Presence::OnlyAfter) {
    change.before.reset();
    change.verdict = Verdict::Added;
  }
}

}  // namespace

Judge::Judge(const Breakdown& before, const Breakdown& after, const StepNoise& before_noise,
             const StepNoise& after_noise, bool timed)
    : before_(before),
      after_(after),
      before_noise_(before_noise),
      after_noise_(after_noise),
      timed_(timed) {}

Change Judge::time(std::optional<double> before_ns, std::optional<double> after_ns,
                   double before_error, double after_error) const {
  Change change;
  if (!timed_) return change;
  change.before = before_ns;
  change.after = after_ns;
  change.noise = combined(before_error, after_error);
  if (!change.known()) return change;
  const double size = std::abs(change.difference());
  if (size > change.noise && size > kFloorOfPart * *before_ns &&
      size > kFloorOfStep * before_step_ns()) {
    change.verdict = by_sign(change.difference());
  }
  return change;
}

Change Judge::part(std::uint64_t before_sum_ns, std::uint64_t after_sum_ns,
                   Presence presence) const {
  Change change;
  if (timed_) {
    const double before_ns =
        static_cast<double>(before_sum_ns) / static_cast<double>(before_.counted_steps);
    const double after_ns =
        static_cast<double>(after_sum_ns) / static_cast<double>(after_.counted_steps);
    change =
        time(before_ns, after_ns, before_noise_.of_part(before_ns), after_noise_.of_part(after_ns));
  }
  mark_absent(change, presence);
  return change;
}

Change Judge::phase(std::size_t index) const {
  if (!timed_) return {};
  return time(
      static_cast<double>(before_.phase_ns[index]) / static_cast<double>(before_.counted_steps),
      static_cast<double>(after_.phase_ns[index]) / static_cast<double>(after_.counted_steps),
      before_noise_.phase_ns[index], after_noise_.phase_ns[index]);
}

Change Judge::step() const {
  return time(before_noise_.all_ns, after_noise_.all_ns, before_noise_.step_ns,
              after_noise_.step_ns);
}

Change Judge::sample() const {
  if (before_.batch_size == 0 || after_.batch_size == 0) return {};
  const double before_size = static_cast<double>(before_.batch_size);
  const double after_size = static_cast<double>(after_.batch_size);
  Change change;
  if (!timed_) return change;
  change.before = before_noise_.all_ns / before_size;
  change.after = after_noise_.all_ns / after_size;
  change.noise = combined(before_noise_.step_ns / before_size, after_noise_.step_ns / after_size);
  const double size = std::abs(change.difference());
  if (size > change.noise && size > kFloorOfPart * *change.before) {
    change.verdict = by_sign(change.difference());
  }
  return change;
}

Change Judge::speed() const {
  const Change time = sample();
  Change change;
  if (!time.known() || *time.before <= 0.0 || *time.after <= 0.0) return change;
  change.before = 1e9 / *time.before;
  change.after = 1e9 / *time.after;
  change.noise = combined(*change.before * before_noise_.step_ns / before_noise_.all_ns,
                          *change.after * after_noise_.step_ns / after_noise_.all_ns);
  change.verdict = time.verdict;
  return change;
}

Change Judge::bytes(std::optional<std::uint64_t> before, std::optional<std::uint64_t> after,
                    double floor, Presence presence) {
  Change change;
  if (before) change.before = static_cast<double>(*before);
  if (after) change.after = static_cast<double>(*after);
  if (change.known() && std::abs(change.difference()) > floor * *change.before) {
    change.verdict = by_sign(change.difference());
  }
  mark_absent(change, presence);
  return change;
}

}  // namespace sightline::profile
