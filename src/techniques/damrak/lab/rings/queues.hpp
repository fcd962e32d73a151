// Three rings behind one interface, for measurements under the same driver:
//   push(first, count)   adds up to `count` items, numbered from `first`; returns how many
//   pop(count)           removes up to `count`; returns how many, and adds their numbers to `sum`
// Items are written and read completely. `k_batches`: the ring can move several at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/lockfree/spsc_queue.hpp>
#if __has_include(<readerwriterqueue/readerwriterqueue.h>)
#include <readerwriterqueue/readerwriterqueue.h>
#define DAMRAK_HAS_READER_WRITER_QUEUE
#endif

#include <damrak/base/spsc_ring.hpp>

namespace damrak::lab::rings {

inline constexpr std::size_t k_capacity = 1'024;

/// What is passed through a ring; each word has its number.
template <std::size_t k_bytes>
struct Item {
    std::array<std::uint64_t, k_bytes / sizeof(std::uint64_t)> words{};

    void fill(std::uint64_t number) { words.fill(number); }
    [[nodiscard]] std::uint64_t number() const {
        std::uint64_t all = 0;
        for (const std::uint64_t word : words) all |= word;
        return all;
    }
};

/// The product's ring.
template <std::size_t k_bytes>
class OurRing {
  public:
    std::size_t push(std::uint64_t first, std::size_t count) {
        std::size_t pushed = 0;
        for (; pushed < count; ++pushed) {
            Item<k_bytes>* const slot = ring_.claim(pushed);
            if (slot == nullptr) break;
            slot->fill(first + pushed);
        }
        if (pushed > 0) ring_.publish(pushed);
        return pushed;
    }
    std::size_t pop(std::size_t count, std::uint64_t& sum) {
        auto items = ring_.front();
        if (items.size() > count) items = items.first(count);
        for (const auto& item : items) sum += item.number();
        if (!items.empty()) ring_.release(items.size());
        return items.size();
    }

  private:
    SpscRing<Item<k_bytes>> ring_{k_capacity};
};

/// The ring of Boost.
template <std::size_t k_bytes>
class BoostRing {
  public:
    std::size_t push(std::uint64_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) in_[i].fill(first + i);
        return ring_.push(in_.data(), count);
    }
    std::size_t pop(std::size_t count, std::uint64_t& sum) {
        const std::size_t popped = ring_.pop(out_.data(), count);
        for (std::size_t i = 0; i < popped; ++i) sum += out_[i].number();
        return popped;
    }

  private:
    boost::lockfree::spsc_queue<Item<k_bytes>, boost::lockfree::capacity<k_capacity>> ring_;
    std::vector<Item<k_bytes>> in_{k_capacity};
    std::vector<Item<k_bytes>> out_{k_capacity};
};

#ifdef DAMRAK_HAS_READER_WRITER_QUEUE
template <std::size_t k_bytes>
class ReaderWriterRing {
  public:
    std::size_t push(std::uint64_t first, std::size_t count) {
        std::size_t pushed = 0;
        for (; pushed < count; ++pushed) {
            Item<k_bytes> item;
            item.fill(first + pushed);
            if (!queue_.try_enqueue(item)) break;
        }
        return pushed;
    }
    std::size_t pop(std::size_t count, std::uint64_t& sum) {
        Item<k_bytes> item;
        std::size_t popped = 0;
        for (; popped < count && queue_.try_dequeue(item); ++popped) sum += item.number();
        return popped;
    }

  private:
    moodycamel::ReaderWriterQueue<Item<k_bytes>> queue_{k_capacity};
};
#endif

}  // namespace damrak::lab::rings
