#include <damrak/base/reserved_array.hpp>

#include <new>

#include <sys/mman.h>

namespace damrak::detail {

namespace {

constexpr std::size_t k_huge_page_bytes = std::size_t{2} << 20;

}  // namespace

void* reserve_pages(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    // Advice only: without huge pages everything works, slower.
    if (bytes >= k_huge_page_bytes) ::madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

void release_pages(void* pages, std::size_t bytes) { ::munmap(pages, bytes); }

}  // namespace damrak::detail
