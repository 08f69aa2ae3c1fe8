// Makes series of the tensors that are told on a bus, with no other language involved: statistics,
// their spread in the first steps, units that are dead or saturated, and whether a parameter
// changes. Rules and the run file get them by way of a supervision.
//
// Figures of tensors on a device are made there, and read when the step is over.
//
// It takes only what its time budget allows: between looks its subscriptions are closed, so that
// publishers make nothing for it. Statistics of a tensor that comes several times in a step are
// put together.
//
// Tensors may come on any thread; the rest is for one thread at a time. The bus and the supervision
// have to outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/export.h"
#include "core/base/result.h"
#include "core/supervise/bus/bus.h"
#include "core/supervise/feed/tensor_series.h"
#include "core/supervise/feed/time_budget.h"
#include "core/supervise/supervision.h"

namespace sightline::supervise {

struct FeedOptions {
  // Of weights, gradients, updates and activations.
  std::set<std::string> topics = {kWeights, kGradients, kActivations};
  std::set<std::string> figures = {};  // empty: all ten
  double budget_share = std::numeric_limits<double>::infinity();
  std::uint64_t every = 1;            // of the steps that the budget allows, one of so many
  std::uint64_t histogram_every = 0;  // of the steps that are looked at; 0: none
};

class Feed {
 public:
  // Where values arose that are not finite. Gradients are told in the order of their parameters,
  // and may have arisen in a module that has none.
  struct Source {
    std::string module;
    std::string operator_name;
    std::string file;  // empty: the line that calls the module
    std::uint32_t line = 0;
  };
  // Asked once, for an output or a gradient, in the thread of the publisher. If it does not know,
  // the order of the modules tells.
  using FindSource = std::function<std::optional<Source>(const Message&)>;

  // Fails if the bus does not know a topic.
  SIGHTLINE_API static Result<std::unique_ptr<Feed>> make(Bus& bus, Supervision& supervision,
                                                          const FeedOptions& options);
  SIGHTLINE_API ~Feed();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  // Before the module's first output.
  SIGHTLINE_API void watch_units(const std::string& module, UnitKind kind);
  // The line that calls the module. Before its first tensor.
  SIGHTLINE_API void set_origin(const std::string& module, const std::string& file,
                                std::uint32_t line);
  // A tensor that a function of the module gives out, on this line, if it is known. Before it comes
  // for the first time. Of such tensors little more than the units is told.
  SIGHTLINE_API void watch_function(const std::string& module, const std::string& tensor,
                                    UnitKind kind, const std::string& file, std::uint32_t line);
  SIGHTLINE_API void find_source_by(FindSource find);

  // The step is over: it took so long, of which so much was spent by those who publish for this
  // feed. Decides on the next one. The verdicts are the supervision's.
  SIGHTLINE_API std::vector<Verdict> end_step(std::uint64_t step, std::uint64_t epoch,
                                              std::uint64_t step_ns, std::uint64_t spent_ns);
  // The training is over, maybe within a step. As above.
  SIGHTLINE_API std::vector<Verdict> end();

  bool looking() const { return open_->load(std::memory_order_relaxed); }
  const TimeBudget& budget() const { return budget_; }

 private:
  Feed(Bus& bus, Supervision& supervision, const FeedOptions& options);

  Result<void> listen(std::vector<std::string> topics, const char* series_topic);
  void take(const char* series_topic, Messages messages);
  void take_norms(const char* series_topic, Messages messages);
  void take_one(const char* series_topic, const Message& message);
  // True: its figures are made where it lies, and read when the step is over.
  bool is_left_to_device(const char* series_topic, const Message& message,
                         const TensorSeries::Wanted& wanted);
  void read_devices();
  void note_source(const char* series_topic, const Message& message, std::uint64_t non_finite);
  TensorSeries::Wanted wanted_of(const char* series_topic, const Tensor& tensor) const;
  // One of which the norm of its floats is asked for and nothing else.
  struct Quick {
    TensorSeries* series = nullptr;  // null: it is none
    std::span<const float> floats;
  };
  static void fetch(const Quick& quick);
  // These are called with mutex_ held.
  Quick quick_of(const char* series_topic, const Message& message);
  TensorSeries& series_of(const char* series_topic, const Message& message);
  TensorSeries& named_series(const char* series_topic, const Message& message);
  std::unique_ptr<TensorSeries> make_series(const TensorKey& key, const Message& message);
  model::SeriesOrigin origin_of(const char* series_topic, const Message& message);
  std::uint64_t add(TensorSeries& series, const Message& message, const TensorNumbers& numbers,
                    TensorSeries::Wanted wanted);  // how many elements are not finite
  void turn_to_step_of(const Message& message);
  void hand_on();

  Bus& bus_;
  Supervision& supervision_;
  const FeedOptions options_;
  const bool norms_only_;
  TimeBudget budget_;
  std::uint64_t allowed_steps_ = 0;
  const std::shared_ptr<std::atomic<bool>> open_ = std::make_shared<std::atomic<bool>>(true);
  std::vector<Bus::SubscriptionId> subscriptions_;
  std::atomic<bool> at_the_start_ = true;  // quantiles are made then
  std::atomic<bool> histograms_now_;

  std::mutex mutex_;  // of all below
  std::unordered_map<TensorKey, std::unique_ptr<TensorSeries>, TensorKeyHash, TensorKeyEqual>
      tensors_;
  std::vector<TensorSeries*> numbered_;  // by the number of the tensor; null: not known yet
  // Figures of the running step that the supervision does not have yet.
  std::vector<Supervision::Figure> told_;
  std::uint64_t told_step_ = 0;
  std::uint64_t told_epoch_ = 0;
  std::map<std::string, UnitKind, std::less<>> units_;
  std::map<std::string, model::SeriesOrigin, std::less<>> origins_;
  struct Function {
    UnitKind units = UnitKind::None;
    model::SeriesOrigin origin;
  };
  std::map<std::pair<std::string, std::string>, Function> functions_;  // by module and tensor
  // Told of in this step, and being made on a device.
  struct Coming {
    TensorSeries* series = nullptr;
    const char* series_topic = nullptr;
    Message message;  // without its tensor
    std::uint64_t sampled_from = 0;
    TensorSeries::Wanted wanted;
    std::shared_ptr<const ComingFigures> figures;
  };
  std::vector<Coming> coming_;
  FindSource find_source_;
  std::uint64_t outputs_ = 0;  // of the running step
  bool source_told_ = false;
};

}  // namespace sightline::supervise
