// The series of one tensor: what is told of it, step by step. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fetch.h"
#include "core/supervise/bus/message.h"
#include "core/supervise/metrics/unit_window.h"
#include "core/supervise/rules/series_names.h"
#include "core/supervise/statistics/statistics.h"
#include "core/supervise/supervision.h"

namespace sightline::supervise {

// Functions whose units may stop working; told by what they give out.
enum class UnitKind : std::uint8_t { None, Relu, Tanh, Sigmoid };

// The topic is one of the constants of series_names.h: its address tells it.
struct TensorKeyView {
  const char* topic = nullptr;
  std::string_view module;
  std::string_view tensor;

  bool operator==(const TensorKeyView&) const = default;
};
struct TensorKey {
  const char* topic = nullptr;
  std::string module;
  std::string tensor;

  // NOLINTNEXTLINE(google-explicit-constructor): a key is asked for as its view
  operator TensorKeyView() const { return {topic, module, tensor}; }
};

// For maps that are asked with views.
struct TensorKeyHash {
  using is_transparent = void;
  std::size_t operator()(const TensorKeyView& key) const {
    const std::hash<std::string_view> hash;
    return hash(key.module) ^ (hash(key.tensor) * 31) ^ std::hash<const char*>()(key.topic);
  }
};
struct TensorKeyEqual {
  using is_transparent = void;
  bool operator()(const TensorKeyView& a, const TensorKeyView& b) const { return a == b; }
};

// Of a tensor with at least one element, one of the four. Floats alone will do for norms only.
struct TensorNumbers {
  std::span<const float> floats = {};
  const TensorView* view = nullptr;
  const DeviceFigures* made = nullptr;
  std::optional<TensorDifference> difference = std::nullopt;
  std::uint64_t sampled_from = 0;  // as in Tensor
};

class TensorSeries {
 public:
  struct Wanted {
    bool spread = false;
    bool histogram = false;
    bool change = false;
    bool norms_only = false;  // no other figures

    bool distribution() const { return spread || histogram; }  // then a difference will not do
  };

  // `figures`: empty for all.
  TensorSeries(Supervision& supervision, TensorKey key, model::SeriesOrigin origin,
               const std::set<std::string>& figures, UnitKind units);

  // Of the units that are watched, if any are.
  std::optional<ActiveRange> active_range() const;

  // From memory, what the next add() reads of a series that is near.
  void fetch() const { fetch_lines(figures_.data(), figures_.size() * sizeof(FigureSeries)); }

  // The figures of the tensor, with those that came before in the same step. What is to be told of
  // them is added to `told`.
  const Statistics& add(std::uint64_t step, const TensorNumbers& numbers, Wanted wanted,
                        std::vector<Supervision::Figure>& told);
  // The same, quicker, of a whole tensor where norms are all that is wanted. False, with nothing
  // done, if it takes add(): not all are finite, or it came before in this step.
  bool add_norm(std::uint64_t step, std::span<const float> floats,
                std::vector<Supervision::Figure>& told);

 private:
  using Told = std::vector<Supervision::Figure>;
  using OptionalSeries = std::optional<Supervision::Series>;

  model::SeriesKey key_of(const char* statistic) const;
  Statistics statistics_of(const TensorNumbers& numbers, Wanted wanted, Sketch* sketch) const;
  void tell_figures(Told& told) const;
  void tell(OptionalSeries& series, const char* statistic, double value, Told& told);
  void add_units(const TensorNumbers& numbers, Told& told);

  struct FigureSeries {
    double (*read)(const Statistics& figures) = nullptr;
    bool of_finite = true;  // of a tensor without a finite element there is nothing to tell
    Supervision::Series series;
  };
  // First what every step needs, so that it lies together.
  std::vector<FigureSeries> figures_;
  std::optional<std::uint64_t> step_;  // that current_ is of
  Statistics current_;
  const UnitKind units_;
  const bool may_change_;
  std::optional<Statistics> last_;  // of the step looked at before, if it may change
  OptionalSeries spread_;
  OptionalSeries changed_;
  OptionalSeries idle_;
  std::optional<UnitWindow> window_;
  Supervision& supervision_;
  const TensorKey key_;
  const model::SeriesOrigin origin_;
};

}  // namespace sightline::supervise
