// A fixed array that is reserved once, at start, and never grows: the memory under every pool. The
// kernel provides it zeroed, on huge pages where available, because random access to many small
// pages pays for address translation. Small arrays share a huge page. Element access is a load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace damrak {

namespace detail {

/// Zeroed memory, aligned to a cache line. Throws std::bad_alloc; call only during set-up. Any
/// thread.
[[nodiscard]] void* reserve_pages(std::size_t bytes);
void release_pages(void* pages, std::size_t bytes);

}  // namespace detail

/// Bytes of the arrays that exist now, touched or not. Any thread.
[[nodiscard]] std::size_t reserved_bytes();

/// All zero bytes must be a valid T, and T must need no destructor.
template <class T>
    requires std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>
class ReservedArray {
  public:
    ReservedArray() = default;
    explicit ReservedArray(std::size_t size)
        : data_(static_cast<T*>(detail::reserve_pages(size * sizeof(T)))), size_(size) {}
    ReservedArray(ReservedArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    ReservedArray& operator=(ReservedArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ReservedArray(const ReservedArray&) = delete;
    ReservedArray& operator=(const ReservedArray&) = delete;
    ~ReservedArray() {
        if (data_ != nullptr) detail::release_pages(data_, size_ * sizeof(T));
    }

    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace damrak
