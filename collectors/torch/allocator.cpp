#include "collectors/torch/allocator.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <cstdio>

#include "collectors/torch/memory_watch.h"
#include "collectors/torch/thread_state.h"

namespace sightline::torch_collector {
namespace {

c10::Allocator* inner = nullptr;
c10::DeleterFnPtr inner_deleter = nullptr;

void note_allocated(const void* address, std::size_t bytes) {
  Visit visit;
  if (!visit) return;
  record::ThreadRecorder& thread = visit.thread();
  const bool wants_stack = Collector::instance().observing() && thread.allocation_wants_stack();
  thread.allocated(address, bytes, wants_stack ? visit.read_stack() : record::Stack{});
}

void note_freed(void* address) {
  const Collector& collector = Collector::instance();
  if (collector.recorder() == nullptr) return;
  if (Visit visit; visit) {
    visit.thread().freed(address);
  } else if (record::Recorder* recorder = collector.recorder(); recorder != nullptr) {
    recorder->memory().freed(address);  // while this thread is inside the recorder itself
  }
}

void release(void* address) {
  note_freed(address);  // first: the address may be given out again at once
  if (MemoryWatch::instance().active()) MemoryWatch::instance().freed(address);
  inner_deleter(address);
}

class WatchingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    c10::DataPtr data = inner->allocate(bytes);
    const bool recorded = Collector::instance().records_memory();
    const bool watched = MemoryWatch::instance().active();
    if ((recorded || watched) && data.get() != nullptr &&
        data.compare_exchange_deleter(inner_deleter, &release)) {
      if (recorded) note_allocated(data.get(), bytes);
      if (watched) MemoryWatch::instance().allocated(data.get(), bytes);
    }
    return data;
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

// Tensors without data have storages that live as long as those with data would. A watched one gets
// a context whose end tells when.
class DatalessAllocator final : public c10::Allocator {
 public:
  explicit DatalessAllocator(c10::Allocator* wrapped) : wrapped_(wrapped) {}

  c10::DataPtr allocate(std::size_t bytes) override {
    if (bytes == 0 || !MemoryWatch::instance().active()) return wrapped_->allocate(bytes);
    auto* block = new char;
    MemoryWatch::instance().allocated(block, bytes);
    return {nullptr, block, &forget, c10::Device(c10::DeviceType::Meta)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return wrapped_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    wrapped_->copy_data(to, from, bytes);
  }

 private:
  static void forget(void* block) {
    MemoryWatch::instance().freed(block);
    delete static_cast<char*>(block);
  }

  c10::Allocator* const wrapped_;
};

// Makes sure that the recorder knows the block. False for memory that is not the allocator's:
// numpy arrays, shared and mapped files.
bool watch(c10::StorageImpl& storage, model::Category category) {
  c10::DataPtr& data = storage._mutable_data_ptr_no_checks();
  if (data.get() == nullptr || data.get() != data.get_context()) return false;
  record::Recorder* recorder = Collector::instance().recorder();
  if (recorder == nullptr || recorder->memory().knows(data.get())) return recorder != nullptr;
  if (data.get_deleter() != &release && !data.compare_exchange_deleter(inner_deleter, &release)) {
    return false;
  }
  recorder->memory().adopted(data.get(), storage.nbytes(), category);
  return true;
}

}  // namespace

void install_allocator() {
  static WatchingAllocator* watching = nullptr;
  if (watching != nullptr) return;
  watching = new WatchingAllocator;  // never destroyed: tensors outlive static destructors
  inner = c10::GetCPUAllocator();
  inner_deleter = inner->raw_deleter();
  c10::SetCPUAllocator(watching, 0);
  if (c10::GetCPUAllocator() != watching) {
    std::fputs("sightline: another allocator holds its place; memory is not recorded\n", stderr);
  }
}

void install_dataless_allocator() {
  static bool is_installed = false;
  if (is_installed) return;
  is_installed = true;
  c10::Allocator* wrapped = c10::GetAllocator(c10::DeviceType::Meta);
  c10::SetAllocator(c10::DeviceType::Meta, new DatalessAllocator(wrapped), 0);  // never destroyed
}

void label_storage(c10::StorageImpl& storage, model::Category category) {
  if (watch(storage, category)) {
    Collector::instance().recorder()->memory().label(storage.data(), category);
  }
}

void label_input_storage(c10::StorageImpl& storage) {
  if (watch(storage, model::Category::Input)) {
    Collector::instance().recorder()->memory().label_input(storage.data());
  }
}

}  // namespace sightline::torch_collector
