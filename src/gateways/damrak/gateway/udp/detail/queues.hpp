// Queues of the UDP gateway in memory allocated once: postponed orders, one list per sender, and
// replies that wait until they are durable. Part of udp_gateway.hpp; one thread, O(1) a call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/wire/packet/descriptor.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::gateway::udp::detail {

/// Lists of orders in one pool, each first in, first out.
class Postponed {
  public:
    static constexpr std::uint32_t k_of_all = 16'384;

    struct List {
        std::uint32_t first = 0;  ///< zero: none
        std::uint32_t last = 0;
        std::uint32_t size = 0;
    };
    struct Item {
        wire::packet::Order order;
        wire::packet::Format format{};
        std::uint32_t next = 0;
    };

    /// No sender may hold more than what is free for the others, so that a new one finds space: one
    /// alone gets half, two a third each.
    [[nodiscard]] bool has_room(const List& list) const { return list.size < pool_.available(); }
    void push(List& list, const wire::packet::Order& order, wire::packet::Format format) {
        const std::uint32_t index = pool_.take();
        items_[index] = {order, format, 0};
        (list.size == 0 ? list.first : items_[list.last].next) = index;
        list.last = index;
        ++list.size;
    }
    [[nodiscard]] const Item& front(const List& list) const { return items_[list.first]; }
    void pop(List& list) {
        const std::uint32_t index = list.first;
        list.first = items_[index].next;
        --list.size;
        pool_.give_back(index);
    }

  private:
    IndexPool pool_{k_of_all};
    ReservedArray<Item> items_{k_of_all + std::size_t{1}};
};

/// First in, first out.
class UdpReplies {
  public:
    static constexpr std::size_t k_capacity = 65'536;

    struct Item {
        std::uint32_t source = 0;
        std::uint32_t number = 0;  ///< of the extended format, counted per sender
        wire::packet::Format format{};
        std::uint8_t length = 0;
        std::array<std::byte, wire::packet::ReplyLayout::k_length> bytes{};
    };

    [[nodiscard]] bool empty() const { return begin_ == end_; }
    [[nodiscard]] std::size_t room() const { return k_capacity - (end_ - begin_); }
    /// Null if the queue is full.
    [[nodiscard]] Item* push() {
        if (room() == 0) return nullptr;
        return &items_[end_++ % k_capacity];
    }
    [[nodiscard]] const Item& front() const { return items_[begin_ % k_capacity]; }
    /// Number of items at the front that fit into one extended datagram to one sender.
    [[nodiscard]] std::size_t run() const {
        std::size_t count = 1;
        while (count < wire::packet::k_maximum_replies && begin_ + count < end_) {
            const Item& next = items_[(begin_ + count) % k_capacity];
            if (next.source != front().source || next.format != wire::packet::Format::extended ||
                next.number != front().number + count)
                break;
            ++count;
        }
        return count;
    }
    [[nodiscard]] const Item& at(std::size_t i) const { return items_[(begin_ + i) % k_capacity]; }
    void pop(std::size_t count) {
        begin_ += count;
        // Starts at the front again, which is in the cache: the queue is large only for bursts.
        if (begin_ == end_) begin_ = end_ = 0;
    }

  private:
    ReservedArray<Item> items_{k_capacity};
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace damrak::gateway::udp::detail
