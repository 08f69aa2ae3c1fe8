// Stands in for the functions that allocate or lock, by LD_PRELOAD, and counts the calls that
// Sightline makes or causes: those with a frame of its libraries on the stack. Only the thread that
// switched counting on is looked at.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { kMostRanges = 4, kMostFrames = 48 };

struct Range {
  uintptr_t begin;
  uintptr_t end;
};

static struct Range ranges[kMostRanges];
static int range_count;
static long allocations;
static long locks;
static __thread bool counting __attribute__((tls_model("initial-exec")));

static int note_library(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)size;
  (void)unused;
  const char* file = strrchr(info->dlpi_name, '/');
  const bool is_ours = file != NULL && (strncmp(file, "/_torch.", 8) == 0 ||
                                        strncmp(file, "/libsightline.so", 16) == 0);
  if (!is_ours || range_count == kMostRanges) return 0;
  struct Range range = {UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    const uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
    if (begin < range.begin) range.begin = begin;
    if (end > range.end) range.end = end;
  }
  ranges[range_count++] = range;
  return 0;
}

static bool is_in_our_libraries(const void* frame) {
  const uintptr_t address = (uintptr_t)frame;
  for (int i = 0; i < range_count; ++i) {
    if (address >= ranges[i].begin && address < ranges[i].end) return true;
  }
  return false;
}

static void count(long* calls) {
  if (!counting) return;
  counting = false;  // the unwinder may allocate and lock
  void* frames[kMostFrames];
  const int depth = backtrace(frames, kMostFrames);
  for (int i = 0; i < depth; ++i) {
    if (!is_in_our_libraries(frames[i])) continue;
    ++*calls;
    break;
  }
  counting = true;
}

// Returns how many of our libraries are loaded.
int start_counting(void) {
  range_count = 0;
  dl_iterate_phdr(note_library, NULL);
  allocations = locks = 0;
  counting = true;
  return range_count;
}

void stop_counting(void) { counting = false; }
long counted_allocations(void) { return allocations; }
long counted_locks(void) { return locks; }

// The C library's own names: asking dlsym for them would allocate.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

// C++'s operator new comes here too, unless it is aligned.
void* malloc(size_t size) {
  count(&allocations);
  return __libc_malloc(size);
}

void* calloc(size_t number, size_t size) {
  count(&allocations);
  return __libc_calloc(number, size);
}

void* realloc(void* memory, size_t size) {
  count(&allocations);
  return __libc_realloc(memory, size);
}

// The aligned operator new. Not posix_memalign: torch's allocator takes tensors from there, and
// ours stands around it.
void* aligned_alloc(size_t alignment, size_t size) {
  count(&allocations);
  return __libc_memalign(alignment, size);
}

#define STAND_IN_FOR_LOCK(name, type)                 \
  int name(type* lock) {                              \
    static int (*real)(type*);                        \
    if (real == NULL) real = dlsym(RTLD_NEXT, #name); \
    count(&locks);                                    \
    return real(lock);                                \
  }

STAND_IN_FOR_LOCK(pthread_mutex_lock, pthread_mutex_t)
STAND_IN_FOR_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
STAND_IN_FOR_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
