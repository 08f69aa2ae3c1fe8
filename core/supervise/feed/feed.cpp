#include "core/supervise/feed/feed.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/base/fetch.h"
#include "core/supervise/bus/kinds.h"
#include "core/supervise/rules/series_names.h"

namespace sightline::supervise {
namespace {

// A step's tensors arise in this order: outputs, the loss, gradients from the last to the first.
constexpr std::uint64_t kAfterOutputs = std::uint64_t{1} << 20;

std::uint64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

bool are_norms(const std::set<std::string>& figures) {
  return !figures.empty() && std::all_of(figures.begin(), figures.end(), [](const auto& name) {
    return name == kL2 || name == kNonFinite;
  });
}

constexpr std::size_t kFetchedAhead = 2;     // tensors: a small one may be between two large ones
constexpr std::size_t kFetchedBytes = 4096;  // beyond that the processor fetches by itself

// Nothing if it has no elements, or none that can be read.
std::optional<TensorNumbers> numbers_of(const Tensor& tensor, bool difference_will_do) {
  TensorNumbers numbers;
  numbers.sampled_from = tensor.sampled_from;
  if (difference_will_do) numbers.difference = tensor.difference();
  if (numbers.difference) return numbers;
  numbers.view = tensor.numbers();
  if (numbers.view == nullptr || numbers.view->count() == 0) return std::nullopt;
  return numbers;
}

}  // namespace

Result<std::unique_ptr<Feed>> Feed::make(Bus& bus, Supervision& supervision,
                                         const FeedOptions& options) {
  std::unique_ptr<Feed> feed(new Feed(bus, supervision, options));
  const auto listen = [&](const auto& topics, const char* series_topic) -> Result<void> {
    if (!options.topics.contains(series_topic)) return {};
    return feed->listen(topics, series_topic);
  };
  const auto of_kinds = [](const char* ParameterTopics::*topic) {
    std::vector<std::string> topics(kParameterTopics.size());
    std::transform(kParameterTopics.begin(), kParameterTopics.end(), topics.begin(),
                   [&](const ParameterTopics& kind) { return kind.*topic; });
    return topics;
  };
  for (const auto& [topics, series_topic] :
       {std::pair(of_kinds(&ParameterTopics::values), kWeights),
        std::pair(of_kinds(&ParameterTopics::gradients), kGradients),
        std::pair(of_kinds(&ParameterTopics::updates), kUpdates),
        std::pair(std::vector<std::string>{kActivationTopic}, kActivations)}) {
    if (Result<void> done = listen(topics, series_topic); !done) return done.error();
  }
  return feed;
}

Feed::Feed(Bus& bus, Supervision& supervision, const FeedOptions& options)
    : bus_(bus),
      supervision_(supervision),
      options_(options),
      norms_only_(are_norms(options.figures)),
      budget_(options.budget_share),
      histograms_now_(options.histogram_every > 0) {}

Feed::~Feed() {
  for (const Bus::SubscriptionId id : subscriptions_) bus_.unsubscribe(id);
}

Result<void> Feed::listen(std::vector<std::string> topics, const char* series_topic) {
  Subscription subscription;
  subscription.name = std::string("supervise ") + series_topic;
  subscription.topics = std::move(topics);
  subscription.gate = open_;
  auto made = bus_.listen(std::move(subscription), [this, series_topic](Messages messages) {
    take(series_topic, messages);
  });
  if (!made) return made.error();
  subscriptions_.push_back(made.value());
  return {};
}

void Feed::watch_units(const std::string& module, UnitKind kind) {
  const std::lock_guard lock(mutex_);
  units_[module] = kind;
}

void Feed::set_origin(const std::string& module, const std::string& file, std::uint32_t line) {
  const std::lock_guard lock(mutex_);
  model::SeriesOrigin& origin = origins_[module];
  origin.file = file;
  origin.line = line;
}

void Feed::watch_function(const std::string& module, const std::string& tensor, UnitKind kind,
                          const std::string& file, std::uint32_t line) {
  const std::lock_guard lock(mutex_);
  Function& function = functions_[{module, tensor}];
  function.units = kind;
  function.origin.file = file;
  function.origin.line = line;
}

void Feed::find_source_by(FindSource find) {
  const std::lock_guard lock(mutex_);
  find_source_ = std::move(find);
}

TensorSeries::Wanted Feed::wanted_of(const char* series_topic, const Tensor& tensor) const {
  const bool parameter = series_topic != kActivations;
  TensorSeries::Wanted wanted;
  // Quantiles cost as much again, and are asked for at the start only.
  wanted.spread = series_topic == kGradients && at_the_start_.load(std::memory_order_relaxed);
  wanted.change = series_topic == kWeights && !tensor.constant;
  wanted.histogram = parameter && histograms_now_.load(std::memory_order_relaxed);
  wanted.norms_only = norms_only_ && !wanted.change;
  return wanted;
}

void Feed::take(const char* series_topic, Messages messages) {
  if (norms_only_ && series_topic != kActivations) return take_norms(series_topic, messages);
  for (const Message* message : messages) take_one(series_topic, *message);
}

// Floats wait for nobody, so one lock will do for many; and what comes next is fetched from memory
// while something is looked at.
void Feed::take_norms(const char* series_topic, Messages messages) {
  std::vector<Quick> quick(messages.size());
  std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < messages.size(); ++i) quick[i] = quick_of(series_topic, *messages[i]);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i + kFetchedAhead < messages.size()) fetch(quick[i + kFetchedAhead]);
    const Message& message = *messages[i];
    if (quick[i].series == nullptr) {
      lock.unlock();
      take_one(series_topic, message);
      lock.lock();
      continue;
    }
    turn_to_step_of(message);
    if (quick[i].series->add_norm(message.step, quick[i].floats, told_)) continue;
    TensorNumbers numbers;
    numbers.floats = quick[i].floats;
    const std::uint64_t non_finite = add(*quick[i].series, message, numbers, {});
    if (non_finite == 0) continue;
    lock.unlock();
    note_source(series_topic, message, non_finite);
    lock.lock();
  }
}

Feed::Quick Feed::quick_of(const char* series_topic, const Message& message) {
  const auto* tensor = std::get_if<Tensor>(&message.payload);
  if (tensor == nullptr) return {};
  const TensorSeries::Wanted wanted = wanted_of(series_topic, *tensor);
  const std::span<const float> floats = tensor->floats();
  const bool is_sample = tensor->sampled_from > 0;
  if (floats.empty() || is_sample || !wanted.norms_only || wanted.distribution()) return {};
  TensorSeries& series = series_of(series_topic, message);
  fetch_lines(&series, sizeof(series));
  return {&series, floats};
}

void Feed::fetch(const Quick& quick) {
  if (quick.series == nullptr) return;
  quick.series->fetch();
  fetch_lines(quick.floats.data(), std::min(quick.floats.size_bytes(), kFetchedBytes));
}

void Feed::take_one(const char* series_topic, const Message& message) {
  const auto* tensor = std::get_if<Tensor>(&message.payload);
  if (tensor == nullptr) return;
  const TensorSeries::Wanted wanted = wanted_of(series_topic, *tensor);
  if (!wanted.distribution() && is_left_to_device(series_topic, message, wanted)) return;
  // Not under the lock: whoever has them may need that of an interpreter.
  const std::optional<TensorNumbers> numbers = numbers_of(*tensor, !wanted.distribution());
  if (!numbers) return;
  std::uint64_t non_finite = 0;
  {
    const std::lock_guard lock(mutex_);
    non_finite = add(series_of(series_topic, message), message, *numbers, wanted);
  }
  if (non_finite > 0) note_source(series_topic, message, non_finite);
}

bool Feed::is_left_to_device(const char* series_topic, const Message& message,
                             const TensorSeries::Wanted& wanted) {
  const auto& tensor = std::get<Tensor>(message.payload);
  if (tensor.source == nullptr || !tensor.source->is_on_device()) return false;
  TensorSeries* series = nullptr;
  {
    const std::lock_guard lock(mutex_);
    series = &series_of(series_topic, message);
  }
  std::shared_ptr<const ComingFigures> figures =
      tensor.source->begin_figures(series->active_range());
  if (figures == nullptr) return false;
  Message head;
  static_cast<MessageHead&>(head) = message;
  const std::lock_guard lock(mutex_);
  coming_.push_back(
      {series, series_topic, std::move(head), tensor.sampled_from, wanted, std::move(figures)});
  return true;
}

void Feed::read_devices() {
  std::vector<Coming> coming;
  {
    const std::lock_guard lock(mutex_);
    coming.swap(coming_);
  }
  for (const Coming& one : coming) {
    const DeviceFigures figures = one.figures->read();
    TensorNumbers numbers;
    numbers.made = &figures;
    numbers.sampled_from = one.sampled_from;
    std::uint64_t non_finite = 0;
    {
      const std::lock_guard lock(mutex_);
      non_finite = add(*one.series, one.message, numbers, one.wanted);
    }
    if (non_finite > 0) note_source(one.series_topic, one.message, non_finite);
  }
}

std::uint64_t Feed::add(TensorSeries& series, const Message& message, const TensorNumbers& numbers,
                        TensorSeries::Wanted wanted) {
  turn_to_step_of(message);
  return series.add(message.step, numbers, wanted, told_).non_finite;
}

void Feed::turn_to_step_of(const Message& message) {
  if (message.step != told_step_ || message.epoch != told_epoch_) hand_on();
  told_step_ = message.step;
  told_epoch_ = message.epoch;
}

void Feed::hand_on() {
  if (!told_.empty()) supervision_.add(told_, told_step_, told_epoch_);
  told_.clear();
}

TensorSeries& Feed::series_of(const char* series_topic, const Message& message) {
  const std::uint64_t number = std::get<Tensor>(message.payload).number;
  if (number == 0) return named_series(series_topic, message);
  if (numbered_.size() <= number) numbered_.resize(number + 1);
  TensorSeries*& known = numbered_[number];
  if (known == nullptr) known = &named_series(series_topic, message);
  return *known;
}

TensorSeries& Feed::named_series(const char* series_topic, const Message& message) {
  // All calls of a step count as one.
  const std::string_view tensor =
      std::string_view(message.tensor).substr(0, message.tensor.find(kCallMark));
  const auto found = tensors_.find(TensorKeyView{series_topic, message.module, tensor});
  if (found != tensors_.end()) return *found->second;
  TensorKey key{series_topic, message.module, std::string(tensor)};
  std::unique_ptr<TensorSeries> made = make_series(key, message);
  return *tensors_.emplace(std::move(key), std::move(made)).first->second;
}

std::unique_ptr<TensorSeries> Feed::make_series(const TensorKey& key, const Message& message) {
  static const std::set<std::string> kOfFunctions = {kZeroShare, kNonFinite};
  UnitKind units = UnitKind::None;
  if (key.topic == kActivations) {
    if (const auto function = functions_.find({message.module, message.tensor});
        function != functions_.end()) {
      function->second.origin.order = ++outputs_;
      return std::make_unique<TensorSeries>(supervision_, key, function->second.origin,
                                            kOfFunctions, function->second.units);
    }
    if (const auto kind = units_.find(message.module); kind != units_.end()) units = kind->second;
  }
  return std::make_unique<TensorSeries>(supervision_, key, origin_of(key.topic, message),
                                        options_.figures, units);
}

model::SeriesOrigin Feed::origin_of(const char* series_topic, const Message& message) {
  model::SeriesOrigin& known = origins_[message.module];
  if (series_topic == kActivations) {
    known.order = ++outputs_;
    return known;
  }
  model::SeriesOrigin origin = known;
  origin.order = 2 * kAfterOutputs - known.order;
  return origin;
}

// Not under the lock: whoever knows may need that of an interpreter.
void Feed::note_source(const char* series_topic, const Message& message, std::uint64_t non_finite) {
  const bool of_output = series_topic == kActivations;
  if (!of_output && series_topic != kGradients) return;
  FindSource find;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(source_told_, true)) return;
    find = find_source_;
  }
  std::optional<Source> found = find ? find(message) : std::nullopt;
  if (!found && !of_output) return;
  const Source source = found ? std::move(*found) : Source{message.module, "", "", 0};
  model::SeriesOrigin origin;
  {
    const std::lock_guard lock(mutex_);
    origin = origins_[source.module];
  }
  if (!of_output) origin.order = 2 * kAfterOutputs - origin.order;
  origin.operator_name = source.operator_name;
  if (!source.file.empty()) {
    origin.file = source.file;
    origin.line = source.line;
  }
  supervision_.add({source.module, of_output ? message.tensor : "", series_topic, kNonFiniteSource},
                   origin, message.step, message.epoch, static_cast<double>(non_finite));
}

std::vector<Verdict> Feed::end_step(std::uint64_t step, std::uint64_t epoch, std::uint64_t step_ns,
                                    std::uint64_t spent_ns) {
  const std::uint64_t began = now_ns();
  read_devices();
  const bool looked = looking();
  {
    const std::lock_guard lock(mutex_);
    hand_on();
  }
  if (looked) {
    supervision_.add({"", "", kLookTime, ""}, {}, step, epoch, static_cast<double>(spent_ns) / 1e6);
  }
  std::vector<Verdict> verdicts = supervision_.end_step(step);
  const std::uint64_t judging_ns = now_ns() - began;
  const std::lock_guard lock(mutex_);
  budget_.end_step(step_ns + judging_ns, spent_ns + judging_ns);
  const bool allowed = budget_.looking();
  open_->store(allowed && (allowed_steps_ + 1) % options_.every == 0);
  if (allowed) ++allowed_steps_;
  at_the_start_.store(budget_.steps() < TimeBudget::kFirstSteps);
  histograms_now_.store(options_.histogram_every > 0 &&
                        budget_.looked_at() % options_.histogram_every == 0);
  return verdicts;
}

std::vector<Verdict> Feed::end() {
  read_devices();
  {
    const std::lock_guard lock(mutex_);
    hand_on();
  }
  return supervision_.end();
}

}  // namespace sightline::supervise
