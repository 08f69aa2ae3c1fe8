// In the steady state the recorder neither allocates nor takes a mutex: both are counted here by
// standing in for the functions that do so. The thread sanitizer stands there itself.
#ifdef __has_feature
#define SIGHTLINE_UNDER_TSAN __has_feature(thread_sanitizer)
#else
#define SIGHTLINE_UNDER_TSAN 0
#endif
#if !SIGHTLINE_UNDER_TSAN

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "core/record/fake_program.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};
std::atomic<int> locks{0};

}  // namespace

#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // malloc and free are a pair

void* operator new(std::size_t size) {
  if (counting) ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto kReal = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  if (counting) ++locks;
  return kReal(mutex);
}

namespace sightline::record {
namespace {

const int kModule = 0;

// Everything a step does, but for the names, which a collector keeps.
class Step {
 public:
  explicit Step(FakeProgram& program) : program_(program) {
    mm_ = program.recorder.operator_id("aten::mm");
    range_ = program.recorder.operator_id("range");
  }

  void run(int step) {
    const int sequence = step * 8;
    range({{"train", 1}}, Activity::DataRange);
    for (int call = 0; call < 4; ++call) {
      op({{"train", 2},
          {"call", 1, &kModule, static_cast<std::uint64_t>(step * 4 + call + 1)},
          {"forward", call}},
         sequence + call);
    }
    for (int call = 0; call < 4; ++call) backward(sequence + call);
    range({{"train", 4}}, Activity::OptimizerRange);
  }

 private:
  void begin(const Start& start, const Stack& stack) {
    program_.thread.begin(start, {start.handle, start.handle}, stack);
  }
  void range(const std::initializer_list<Place>& stack, Activity activity) {
    const Start start{.handle = &range_, .op = range_, .activity = activity};
    begin(start, put(stack));
    program_.thread.end(&range_);
  }
  void op(const std::initializer_list<Place>& stack, int sequence) {
    const Start start{.handle = &mm_, .op = mm_, .sequence = sequence};
    begin(start, put(stack));
    program_.thread.allocated(&blocks_[0], 64, {});
    program_.thread.end(&mm_);
    program_.thread.freed(&blocks_[0]);
  }
  void backward(int sequence) {
    const Start node{.handle = &mm_,
                     .op = mm_,
                     .activity = Activity::BackwardNode,
                     .sequence = sequence,
                     .forward_thread = FakeProgram::kFrameworkThread};
    begin(node, put({{"train", 3}}));
    program_.thread.end(&mm_);
  }
  // Without the strings that FakeProgram makes.
  Stack put(const std::initializer_list<Place>& places) {
    counting = false;
    const Stack stack = program_.put_stack(places);
    counting = was_counting_;
    return stack;
  }

 public:
  void set_counting(bool on) {
    was_counting_ = on;
    counting = on;
  }

 private:
  FakeProgram& program_;
  model::OperatorId mm_;
  model::OperatorId range_;
  bool was_counting_ = false;
  char blocks_[64]{};
};

TEST(SteadyState, NeitherAllocatesNorLocks) {
  FakeProgram program;
  Step step(program);
  for (int i = 0; i < 12; ++i) {
    step.run(i);
    program.end_step();
  }
  step.set_counting(true);
  step.run(12);
  step.set_counting(false);
  EXPECT_EQ(allocations.load(), 0);
  EXPECT_EQ(locks.load(), 0);
}

}  // namespace
}  // namespace sightline::record

#endif
