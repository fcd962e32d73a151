// A bounded queue from one producer thread to one consumer thread, the connection between agents.
// The producer claims a slot, fills it in place and publishes it; the consumer takes all published
// slots and releases them. A full ring is reported to the caller, which decides whether to wait or
// to count a loss.
//
//   if (T* slot = ring.claim()) { …fill *slot…; ring.publish(); }             // producer
//   while (T* slot = ring.claim(n)) { …fill *slot…; ++n; } ring.publish(n);   // many at once
//   for (auto batch = ring.front(); !batch.empty(); batch = ring.front()) {   // consumer
//       …read batch…; ring.release(batch.size());
//   }
//
// No lock, no system call, no allocation after construction. Each side keeps its own index and a
// copy of the other's on its own cache lines. It reads the other's index only when the ring seems
// full or empty, as in Folly's ProducerConsumerQueue and quill's queue. A record costs a release
// store, and one cache miss per `capacity` records. The constructor touches the memory, so use does
// not fault.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <damrak/base/assert.hpp>
#include <damrak/base/reserved_array.hpp>

namespace damrak {

template <class T>
class SpscRing {
    static_assert(std::is_trivially_copyable_v<T>, "slots are filled and read in place");

  public:
    /// `capacity` is a power of two.
    explicit SpscRing(std::size_t capacity) : mask_(capacity - 1), slots_(capacity) {
        DAMRAK_ASSERT(std::has_single_bit(capacity));
        std::memset(static_cast<void*>(slots_.data()), 0, slots_.bytes());
    }
    SpscRing(const SpscRing&) = delete;
    SpscRing& operator=(const SpscRing&) = delete;

    [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }

    // For the producer:

    /// The next slot, or the one `ahead` slots later, with its old content; null if the ring is too
    /// full. Returns the same slot until publish().
    [[nodiscard]] T* claim(std::size_t ahead = 0) {
        const std::uint64_t index = producer_.next + ahead;
        if (index - producer_.other_seen > mask_) [[unlikely]] {
            producer_.other_seen = read_.load(std::memory_order_acquire);
            if (index - producer_.other_seen > mask_) return nullptr;
        }
        return &slots_[index & mask_];
    }
    /// Whether this many slots can be claimed and published now.
    [[nodiscard]] bool has_room(std::size_t count) {
        if (capacity() - (producer_.next - producer_.other_seen) < count) [[unlikely]]
            producer_.other_seen = read_.load(std::memory_order_acquire);
        return capacity() - (producer_.next - producer_.other_seen) >= count;
    }
    /// Makes the first `count` claimed slots visible to the consumer, all at the same time.
    void publish(std::size_t count = 1) {
        written_.store(producer_.next += count, std::memory_order_release);
    }

    // For the consumer:

    /// All readable items that are contiguous, oldest first; empty if there are none. Items after
    /// the wrap-around come with the next call.
    [[nodiscard]] std::span<const T> front() {
        if (consumer_.next == consumer_.other_seen)
            consumer_.other_seen = written_.load(std::memory_order_acquire);
        const std::size_t begin = consumer_.next & mask_;
        const std::uint64_t readable = consumer_.other_seen - consumer_.next;
        return {&slots_[begin], std::min<std::size_t>(readable, capacity() - begin)};
    }
    /// Returns the oldest `count` slots to the producer.
    void release(std::size_t count) {
        DAMRAK_ASSERT(count <= consumer_.other_seen - consumer_.next);
        read_.store(consumer_.next += count, std::memory_order_release);
    }

    // For any thread:

    /// How many slots were published so far, and how many released.
    [[nodiscard]] std::uint64_t published() const {
        return written_.load(std::memory_order_acquire);
    }
    [[nodiscard]] std::uint64_t released() const { return read_.load(std::memory_order_acquire); }

  private:
    // Two lines of 64 bytes: processors fetch them in pairs.
    static constexpr std::size_t k_apart_bytes = 128;

    struct Side {
        std::uint64_t next = 0;        ///< own index, never wraps
        std::uint64_t other_seen = 0;  ///< cached copy of the other side's index
    };

    const std::size_t mask_;
    ReservedArray<T> slots_;
    alignas(k_apart_bytes) Side producer_;
    alignas(k_apart_bytes) std::atomic<std::uint64_t> written_{0};
    alignas(k_apart_bytes) Side consumer_;
    alignas(k_apart_bytes) std::atomic<std::uint64_t> read_{0};
};

}  // namespace damrak
