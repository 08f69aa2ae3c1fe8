// The topics and statistics that rules look for. A series of another name is welcome and watched by
// no rule.
#pragma once

namespace sightline::supervise {

inline constexpr const char* kWeights = "weights";
inline constexpr const char* kGradients = "gradients";
inline constexpr const char* kUpdates = "updates";
inline constexpr const char* kActivations = "activations";
// One number each, without a statistic.
inline constexpr const char* kLookTime = "supervision_ms";  // in steps whose tensors were looked at
inline constexpr const char* kUpdateCopies = "update_copy_bytes";
inline constexpr const char* kUpdateSample = "update_sampled_one_of";
inline constexpr const char* kLoss = "loss";
inline constexpr const char* kValidationLoss = "validation_loss";
inline constexpr const char* kTrainingLoss = "training_loss";  // of the same function, before it
inline constexpr const char* kStepTime = "step_time_ms";
inline constexpr const char* kMemory = "memory_bytes";

inline constexpr const char* kAbsMean = "abs_mean";
inline constexpr const char* kL2 = "l2";
inline constexpr const char* kVariance = "variance";
inline constexpr const char* kNonFinite = "non_finite";
inline constexpr const char* kNonFiniteSource = "non_finite_source";  // where they arose first
inline constexpr const char* kZeroShare = "zero_share";
inline constexpr const char* kSpread = "spread";         // 95th percentile less the 5th
inline constexpr const char* kChanged = "changed";       // see Change
inline constexpr const char* kIdleShare = "idle_share";  // see UnitWindow
inline constexpr const char* kSaturatedShare = "saturated_share";

}  // namespace sightline::supervise
