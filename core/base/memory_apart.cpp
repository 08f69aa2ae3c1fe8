#include "core/base/memory_apart.h"

#include <sys/mman.h>

#include <mutex>
#include <new>

namespace sightline {
namespace {

constexpr std::size_t kLargestPooledBytes = 1 << 18;
constexpr std::size_t kMostIdleBytes = 16 << 20;

class Pages final : public std::pmr::memory_resource {
 public:
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    bytes_ += bytes;
    return pages;
  }
  void do_deallocate(void* pages, std::size_t bytes, std::size_t) override {
    munmap(pages, bytes);
    bytes_ -= bytes;
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t bytes_ = 0;
};

class Pool final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard guard(mutex_);
    void* block = pool_.allocate(bytes, alignment);
    ++blocks_;
    return block;
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard guard(mutex_);
    pool_.deallocate(block, bytes, alignment);
    if (--blocks_ == 0 && pages_.bytes() > kMostIdleBytes) pool_.release();
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::mutex mutex_;
  Pages pages_;
  std::pmr::unsynchronized_pool_resource pool_{
      {.max_blocks_per_chunk = 0, .largest_required_pool_block = kLargestPooledBytes}, &pages_};
  std::size_t blocks_ = 0;
};

}  // namespace

std::pmr::memory_resource& memory_apart() {
  static auto& pool = *new Pool;
  return pool;
}

}  // namespace sightline
