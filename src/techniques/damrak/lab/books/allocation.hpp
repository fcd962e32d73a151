// Memory allocation for orders. A policy of the book (books/book.hpp): `allocator<T>()` for single
// orders, `array<T>()` for all of them in one block, which index handles need. Pools are sized for
// the most orders that rest at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include <sys/mman.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/reserved_array.hpp>

namespace damrak::lab {

/// The standard allocator, one allocation per order.
class NewDelete {
  public:
    template <class T>
    using Allocator = std::allocator<T>;
    NewDelete(std::uint32_t, std::size_t) {}
    template <class T>
    [[nodiscard]] Allocator<T> allocator() {
        return {};
    }
    template <class T>
    [[nodiscard]] static std::vector<T> array(std::size_t size) {
        return std::vector<T>(size);
    }
};

/// `std::pmr::unsynchronized_pool_resource`.
class PmrPool {
  public:
    template <class T>
    using Allocator = std::pmr::polymorphic_allocator<T>;
    PmrPool(std::uint32_t, std::size_t) {}
    template <class T>
    [[nodiscard]] Allocator<T> allocator() {
        return &resource_;
    }

  private:
    std::pmr::unsynchronized_pool_resource resource_;
};

/// `std::pmr::monotonic_buffer_resource`: frees nothing before the end.
class PmrMonotonic {
  public:
    template <class T>
    using Allocator = std::pmr::polymorphic_allocator<T>;
    PmrMonotonic(std::uint32_t most, std::size_t block) : resource_(most * block) {}
    template <class T>
    [[nodiscard]] Allocator<T> allocator() {
        return &resource_;
    }

  private:
    std::pmr::monotonic_buffer_resource resource_;
};

enum class Pages : bool { small, huge };

/// A block from the system with pages of the requested size, if the system grants it. Zeroed.
template <class T, Pages pages>
class PagedArray {
  public:
    explicit PagedArray(std::size_t size)
        : bytes_((size * sizeof(T) + k_huge_page - 1) / k_huge_page * k_huge_page + k_huge_page),
          block_(
              mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        DAMRAK_ASSERT(block_ != MAP_FAILED);
        madvise(block_, bytes_, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }
    PagedArray(const PagedArray&) = delete;
    PagedArray& operator=(const PagedArray&) = delete;
    ~PagedArray() { munmap(block_, bytes_); }

    [[nodiscard]] T& operator[](std::size_t i) { return static_cast<T*>(block_)[i]; }

  private:
    static constexpr std::size_t k_huge_page = std::size_t{2} << 20U;
    std::size_t bytes_;
    void* block_;
};

/// Fixed-size blocks from one arena; the block freed last is reused first.
template <Pages pages = Pages::huge>
class SlabOf {
  public:
    /// The slab as an allocator of standard containers.
    template <class T>
    struct Allocator {
        using value_type = T;
        Allocator() = default;
        explicit Allocator(SlabOf* of) : slab(of) {}
        template <class U>
        Allocator(const Allocator<U>& other) : slab(other.slab) {}  // NOLINT: as allocators do
        [[nodiscard]] T* allocate(std::size_t count) {
            DAMRAK_ASSERT(count == 1 && sizeof(T) <= slab->block_);
            return static_cast<T*>(slab->take());
        }
        void deallocate(T* block, std::size_t) { slab->give_back(block); }
        template <class U>
        friend bool operator==(const Allocator& a, const Allocator<U>& b) {
            return a.slab == b.slab;
        }
        SlabOf* slab = nullptr;
    };

    SlabOf(std::uint32_t most, std::size_t block)
        : block_((block + k_alignment - 1) / k_alignment * k_alignment),
          memory_(block_ * (most + std::size_t{1})) {}
    template <class T>
    [[nodiscard]] Allocator<T> allocator() {
        return Allocator<T>(this);
    }
    template <class T>
    [[nodiscard]] static PagedArray<T, pages> array(std::size_t size) {
        return PagedArray<T, pages>(size);
    }

  private:
    static constexpr std::size_t k_alignment = alignof(std::max_align_t);
    struct Free {
        Free* next;
    };

    void* take() {
        if (free_ == nullptr) return &memory_[block_ * used_++];
        Free* const block = free_;
        free_ = block->next;
        return block;
    }
    void give_back(void* block) { free_ = std::construct_at(static_cast<Free*>(block), free_); }

    std::size_t block_;
    PagedArray<std::byte, pages> memory_;
    std::size_t used_ = 0;
    Free* free_ = nullptr;
};
using Slab = SlabOf<>;

}  // namespace damrak::lab
