// Saves and loads the state of a pool of plain records. One description serves both:
//
//   template <class Self, class Archive>
//   static void transfer(Self& self, Archive& archive) {
//       archive.value(self.count_);
//       archive.values(self.items_.data(), self.count_);
//   }
//
// State that refers to itself by index, never by address, is saved as it lies in memory. Used by
// snapshots, off the path of an order. Loading trusts no length: one that exceeds its bound or the
// input marks the archive as failed, and nothing more is loaded. The caller checks for failure
// once, at the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <damrak/base/reserved_array.hpp>

namespace damrak {

/// Follows the items of a sparse array, which may be loaded into a larger one.
inline constexpr std::uint64_t k_end_of_sparse = UINT64_MAX;

/// Passes bytes to `sink(std::span<const std::byte>)`, in pieces of any size.
template <class Sink>
class SaveArchive {
  public:
    explicit SaveArchive(Sink& sink) : sink_(&sink) {}

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void value(const T& item) {
        (*sink_)(std::as_bytes(std::span{&item, 1}));
    }
    /// A number of items, at most `most`.
    template <class T>
    void count(const T& number, std::uint64_t /*most*/) {
        value(number);
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void values(const T* items, std::size_t number) {
        (*sink_)(std::as_bytes(std::span{items, number}));
    }
    /// An array of which most items are all zeros.
    template <class T>
    void sparse(const ReservedArray<T>& items) {
        static constexpr std::byte k_zeros[sizeof(T)]{};
        for (std::uint64_t i = 0; i < items.size(); ++i) {
            if (std::memcmp(&items[i], k_zeros, sizeof(T)) == 0) continue;
            value(i);
            value(items[i]);
        }
        value(k_end_of_sparse);
    }

  private:
    Sink* sink_;
};

/// Saves `transfer(archive)` to memory, to copy a state that is too large to assign.
template <class F>
[[nodiscard]] std::vector<std::byte> saved_bytes(F&& transfer) {
    std::vector<std::byte> bytes;
    const auto keep = [&bytes](std::span<const std::byte> piece) {
        const std::size_t before = bytes.size();
        bytes.resize(before + piece.size());
        std::ranges::copy(piece, bytes.data() + before);
    };
    SaveArchive archive{keep};
    transfer(archive);
    return bytes;
}

/// Loads saved bytes into a fresh state.
class LoadArchive {
  public:
    explicit LoadArchive(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void value(T& item) {
        values(&item, 1);
    }
    template <class T>
    void count(T& number, std::uint64_t most) {
        value(number);
        if (failed_ || number > most) fail(number);
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void values(T* items, std::size_t number) {
        if (failed_ || number > rest_.size() / sizeof(T)) {
            failed_ = true;
            return;
        }
        if (number == 0) return;
        std::memcpy(static_cast<void*>(items), rest_.data(), number * sizeof(T));
        rest_ = rest_.subspan(number * sizeof(T));
    }
    template <class T>
    void sparse(ReservedArray<T>& items) {
        for (;;) {
            std::uint64_t i = k_end_of_sparse;
            value(i);
            failed_ |= i != k_end_of_sparse && i >= items.size();
            if (failed_ || i == k_end_of_sparse) return;
            value(items[i]);
        }
    }

    /// Whether all data was present and none is left over.
    [[nodiscard]] bool complete() const { return !failed_ && rest_.empty(); }

  private:
    template <class T>
    void fail(T& number) {
        failed_ = true;
        number = 0;
    }

    std::span<const std::byte> rest_;
    bool failed_ = false;
};

}  // namespace damrak
