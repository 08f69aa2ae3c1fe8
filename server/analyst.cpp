#include "server/analyst.h"

#include <malloc.h>

#include <utility>

#include "core/store/batch_samples.h"
#include "core/store/run_reader.h"
#include "core/store/single_file.h"
#include "server/messages.h"
#include "worker/dialogue.h"

namespace sightline::server {
namespace {

using worker::Failure;

Failure unwritten(const Error& error) {
  Failure failure;
  failure.what = error.message;
  return failure;
}

}  // namespace

// Turns what the worker tells into messages.
class Analyst::Report : public worker::ProfileListener {
 public:
  Report(const AnalysisTask& task, Analyst& analyst) : task_(task), analyst_(analyst) {
    analyst_.worker_->on_output([this](const std::string& output) {
      if (!recorded_) analyst_.listener_.printed(task_.analysis, output);
    });
  }
  ~Report() override { analyst_.worker_->on_output({}); }

  // Whether the run file is worth keeping, whatever becomes of the rest.
  bool is_whole() const { return recorded_ && !unreadable_; }

  void progress(worker::ProfilePart part, const std::string& what) override {
    analyst_.listener_.progressed(task_.analysis, part, what);
  }

  void recorded() override {
    recorded_ = true;
    Result<model::Run> run = store::read_run(task_.request.analysis.run);
    if (!run) {
      unreadable_ = run.error();
      return;
    }
    run_ = std::move(run).value();
    analyst_.listener_.recorded(task_.analysis, breakdown_body(run_), facts_of(run_));
  }

  void sampled(const worker::BatchSamples& samples) override {
    if (unreadable_ || !analyst_.is_wanted(task_)) return;
    take(samples);
    analyst_.listener_.sampled(task_.analysis, throughput_body(run_));
  }

  std::optional<Failure> finish(const worker::BatchSamples& samples) {
    if (unreadable_) return unwritten(*unreadable_);
    if (samples.empty()) {
      analyst_.listener_.finished(task_.analysis, std::nullopt);
      return std::nullopt;
    }
    take(samples);
    const Result<void> added =
        store::add_batch_samples(task_.request.analysis.run, samples.measured, samples.failed);
    if (!added) return unwritten(added.error());
    analyst_.listener_.finished(task_.analysis, breakdown_body(run_));
    return std::nullopt;
  }

 private:
  void take(const worker::BatchSamples& samples) {
    run_.batch_samples = samples.measured;
    run_.batch_failures = samples.failed;
  }

  const AnalysisTask& task_;
  Analyst& analyst_;
  bool recorded_ = false;
  std::optional<Error> unreadable_;
  model::Run run_;
};

Analyst::Analyst(std::filesystem::path python, AnalystListener& listener)
    : python_(std::move(python)), listener_(listener), thread_([this] { work(); }) {}

Analyst::~Analyst() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    interrupted_.ring();
  }
  wake_.notify_one();
  thread_.join();
}

void Analyst::start(AnalysisTask task) {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = task.analysis;
    waiting_ = std::move(task);
    interrupted_.ring();
  }
  wake_.notify_one();
}

void Analyst::cancel() {
  const std::lock_guard lock(mutex_);
  wanted_ = 0;
  waiting_.reset();
  interrupted_.ring();
}

std::optional<AnalysisTask> Analyst::next_task() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return waiting_ || ending_; });
  if (ending_) return std::nullopt;
  interrupted_.be_quiet();
  return std::exchange(waiting_, std::nullopt);
}

bool Analyst::is_wanted(const AnalysisTask& task) {
  const std::lock_guard lock(mutex_);
  return wanted_ == task.analysis && !ending_;
}

void Analyst::work() {
  (void)prepare_worker();  // what is wrong with it will be said when it is needed
  while (const std::optional<AnalysisTask> task = next_task()) {
    run(*task);
    malloc_trim(0);  // a run and its messages were large, and the next is minutes away
  }
  worker_.reset();
}

void Analyst::run(const AnalysisTask& task) {
  std::optional<Failure> failure = try_once(task);
  if (failure && failure->worker_gone) failure = try_once(task);
  if (!failure) return;
  if (failure->kind == Failure::Kind::Interrupted) return listener_.interrupted();
  listener_.failed(task.analysis, *std::move(failure));
}

std::optional<Failure> Analyst::try_once(const AnalysisTask& task) {
  if (!worker_ || packages_.changed()) {
    listener_.progressed(task.analysis, worker::ProfilePart::Loading, "importing torch");
    if (std::optional<Failure> failure = prepare_worker()) return failure;
    if (!is_wanted(task)) return worker::failure_of_interruption(0);
  }
  store::remove_run(task.request.analysis.run);
  std::optional<Failure> failure;
  bool is_whole = false;
  {
    Report report(task, *this);
    worker::Outcome<worker::BatchSamples> outcome = profile(*worker_, task.request, report);
    if (auto* failed = std::get_if<Failure>(&outcome)) {
      failure = std::move(*failed);
    } else {
      failure = report.finish(std::get<worker::BatchSamples>(outcome));
    }
    is_whole = report.is_whole();
  }
  if (!worker_->end_analysis()) worker_.reset();
  if (!is_whole) store::remove_run(task.request.analysis.run);
  store::remove_run(task.request.sampling_run);
  return failure;
}

std::optional<Failure> Analyst::prepare_worker() {
  worker_.reset();
  auto started = worker::WorkerProcess::start(python_, interrupted_.descriptor());
  if (!started) return worker::failure_of_setup(started.error().message);
  worker_ = std::move(started).value();
  worker_->on_writes([this](const std::string& path) { listener_.writes(path); });
  while (true) {
    worker::Outcome<worker::Hello> hello = await_hello(*worker_);
    if (const auto* known = std::get_if<worker::Hello>(&hello)) {
      packages_ = PackageFolders(known->package_folders);
      return std::nullopt;
    }
    Failure failure = std::get<Failure>(std::move(hello));
    const std::unique_lock lock(mutex_);
    if (failure.kind != Failure::Kind::Interrupted || ending_) {
      worker_.reset();
      return failure;
    }
    interrupted_.be_quiet();  // a task came, or went: the import is needed all the same
  }
}

}  // namespace sightline::server
