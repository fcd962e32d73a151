// Stores MoldUDP64 packets that arrived before their turn, by number, in memory of a fixed size.
// Each message leaves at most once. If there is no room, the packets with the lowest numbers stay:
// they are needed first. One thread; no allocation after construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <damrak/base/assert.hpp>

namespace damrak::client {

class PacketStore {
  public:
    /// Longer blocks of messages are not kept.
    static constexpr std::size_t k_longest = 1'500;

    struct Packet {
        std::uint64_t first = 0;  ///< number of the first message
        std::uint64_t end = 0;    ///< one past the last
        std::uint32_t place = 0;
        std::uint32_t length = 0;
    };

    explicit PacketStore(std::size_t packets) : memory_(packets * k_longest) {
        order_.reserve(packets);
        free_.reserve(packets);
        for (std::size_t i = packets; i-- > 0;) free_.push_back(static_cast<std::uint32_t>(i));
    }

    /// Returns whether the blocks are kept: not if all their messages are stored already, or if
    /// there is no room.
    bool add(std::uint64_t first, std::uint64_t end, std::span<const std::byte> blocks) {
        if (blocks.size() > k_longest) return false;
        const auto at = std::ranges::lower_bound(order_, first, {}, &Packet::first);
        if (at != order_.end() && at->first == first && at->end >= end) return false;
        if (at != order_.begin() && (at - 1)->end >= end) return false;
        const auto index = at - order_.begin();
        if (free_.empty()) {
            if (at == order_.end()) return false;
            pop_back();
        }
        const std::uint32_t place = free_.back();
        free_.pop_back();
        std::memcpy(memory_.data() + place * k_longest, blocks.data(), blocks.size());
        order_.insert(order_.begin() + index,
                      {first, end, place, static_cast<std::uint32_t>(blocks.size())});
        return true;
    }

    [[nodiscard]] bool empty() const { return order_.empty(); }
    [[nodiscard]] std::size_t size() const { return order_.size(); }
    /// The packet with the lowest number.
    [[nodiscard]] const Packet& front() const { return order_.front(); }
    [[nodiscard]] std::span<const std::byte> blocks(const Packet& packet) const {
        return std::span{memory_}.subspan(packet.place * k_longest, packet.length);
    }
    void pop_front() {
        free_.push_back(order_.front().place);
        order_.erase(order_.begin());
    }
    void clear() {
        while (!order_.empty()) pop_back();
    }

  private:
    void pop_back() {
        free_.push_back(order_.back().place);
        order_.pop_back();
    }

    std::vector<std::byte> memory_;
    std::vector<Packet> order_;  ///< by first number
    std::vector<std::uint32_t> free_;
};

}  // namespace damrak::client
