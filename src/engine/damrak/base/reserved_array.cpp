#include <damrak/base/reserved_array.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>

#include <sys/mman.h>

#include <damrak/base/touched_memory.hpp>

namespace damrak {

namespace {
thread_local int t_touching = 0;
std::atomic<std::size_t> g_reserved{0};
}  // namespace

TouchedMemory::TouchedMemory() { ++t_touching; }
TouchedMemory::~TouchedMemory() { --t_touching; }

std::size_t reserved_bytes() { return g_reserved.load(std::memory_order_relaxed); }

}  // namespace damrak

namespace damrak::detail {

namespace {

constexpr std::size_t k_huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t k_page_bytes = 4'096;
constexpr std::size_t k_line_bytes = 64;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Address space that begins on a huge page boundary. The huge page advice is optional: without huge
// pages the program works, but slower.
char* map_pages(std::size_t size) {
    const std::size_t bytes = round_up(size, k_page_bytes);
    const std::size_t wide = bytes + k_huge_page_bytes;
    if (wide < size) throw std::bad_alloc();
    void* const mapped = ::mmap(nullptr, wide, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    auto* const begin = static_cast<char*>(mapped);
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % k_huge_page_bytes;
    if (before > 0) ::munmap(begin, before);
    ::munmap(begin + before + bytes, k_huge_page_bytes - before);
    ::madvise(begin + before, bytes, MADV_HUGEPAGE);
    if (t_touching > 0)
        ::madvise(begin + before, std::min(bytes, k_huge_page_bytes), MADV_POPULATE_WRITE);
    return begin + before;
}

// Arrays too small for a huge page of their own share one, in order of creation. The page is
// unmapped with the last of them.
struct SharedPage {
    std::size_t arrays;
    std::size_t used;
};

struct SharedPages {
    std::mutex mutex;
    SharedPage* open = nullptr;

    void* take(std::size_t bytes) {
        const std::lock_guard lock(mutex);
        if (open == nullptr || open->used + bytes > k_huge_page_bytes)
            open = new (map_pages(k_huge_page_bytes)) SharedPage{0, k_line_bytes};
        void* const memory = reinterpret_cast<char*>(open) + open->used;
        ++open->arrays;
        open->used += bytes;
        return memory;
    }

    void give_back(void* memory) {
        const std::lock_guard lock(mutex);
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(memory) % k_huge_page_bytes;
        void* const begin = static_cast<char*>(memory) - offset;
        auto* const page = static_cast<SharedPage*>(begin);
        if (--page->arrays > 0) return;
        if (page == open) open = nullptr;
        ::munmap(page, k_huge_page_bytes);
    }
};

SharedPages& shared_pages() {
    static SharedPages pages;
    return pages;
}

// Whether the array and its header line exceed a huge page.
constexpr bool has_own_pages(std::size_t bytes) { return bytes > k_huge_page_bytes - k_line_bytes; }

}  // namespace

void* reserve_pages(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* const pages = has_own_pages(bytes) ? map_pages(bytes)
                                             : shared_pages().take(round_up(bytes, k_line_bytes));
    g_reserved.fetch_add(bytes, std::memory_order_relaxed);
    return pages;
}

void release_pages(void* pages, std::size_t bytes) {
    g_reserved.fetch_sub(bytes, std::memory_order_relaxed);
    if (has_own_pages(bytes))
        ::munmap(pages, bytes);
    else
        shared_pages().give_back(pages);
}

}  // namespace damrak::detail
