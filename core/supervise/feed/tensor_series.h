// The series of one tensor: what is told of it, step by step. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/supervise/bus/message.h"
#include "core/supervise/metrics/unit_window.h"
#include "core/supervise/rules/series_names.h"
#include "core/supervise/statistics/statistics.h"
#include "core/supervise/supervision.h"

namespace sightline::supervise {

// Functions whose units may stop working; told by what they give out.
enum class UnitKind : std::uint8_t { None, Relu, Tanh, Sigmoid };

// The topic is one of the constants of series_names.h: its address tells it.
struct TensorKey {
  const char* topic = nullptr;
  std::string module;
  std::string tensor;
};
struct TensorKeyView {
  const char* topic = nullptr;
  std::string_view module;
  std::string_view tensor;
};
inline auto order_of(const TensorKey& key) {
  return std::tuple<const char*, std::string_view, std::string_view>(key.topic, key.module,
                                                                     key.tensor);
}
inline auto order_of(const TensorKeyView& key) {
  return std::tuple(key.topic, key.module, key.tensor);
}
inline bool operator<(const TensorKey& a, const TensorKey& b) { return order_of(a) < order_of(b); }
inline bool operator<(const TensorKey& a, const TensorKeyView& b) {
  return order_of(a) < order_of(b);
}
inline bool operator<(const TensorKeyView& a, const TensorKey& b) {
  return order_of(a) < order_of(b);
}

class TensorSeries {
 public:
  struct Wanted {
    bool spread = false;
    bool histogram = false;
    bool change = false;
  };

  // `figures`: empty for all.
  TensorSeries(Supervision& supervision, TensorKey key, model::SeriesOrigin origin,
               const std::set<std::string>& figures, UnitKind units);

  // The figures of the tensor, with those that came before in the same step.
  const Statistics& add(std::uint64_t step, std::uint64_t epoch, const TensorView& view,
                        std::uint64_t sampled_from, Wanted wanted);

 private:
  static constexpr std::size_t kFigures = 10;

  model::SeriesKey key_of(const char* statistic) const;
  void tell(std::uint64_t step, std::uint64_t epoch, std::vector<Supervision::Figure>& figures);
  void tell_one(const char* statistic, std::uint64_t step, std::uint64_t epoch, double value);
  void add_units(std::uint64_t step, std::uint64_t epoch, const TensorView& view);
  void add_change(std::uint64_t step, std::uint64_t epoch);

  Supervision& supervision_;
  const TensorKey key_;
  const model::SeriesOrigin origin_;
  const UnitKind units_;
  std::array<std::optional<Supervision::Series>, kFigures> series_;
  std::optional<UnitWindow> window_;
  std::optional<std::uint64_t> step_;  // that current_ is of
  Statistics current_;
  std::optional<Statistics> last_;  // of the step looked at before
  std::vector<Supervision::Figure> told_;
};

}  // namespace sightline::supervise
