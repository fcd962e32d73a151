// Sends orders in datagrams and measures the answers: the load of `damrak load --gateway udp`.
// Orders come in pairs, a resting sell and a buy that takes it, so the book never grows.
//
// A request is the unit that an answer can be matched to. In the extended format it is a datagram
// of some orders, answered when each order is. The public formats report trades only, so there it
// is a pair, answered by its trade; its latency runs from the second order, which makes the trade.
// One thread; nothing is allocated after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/base/histogram.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/wire/packet/descriptor.hpp>
#include <damrak/wire/packet/encode.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::client {

/// What a load run over UDP sends, and how it is packed.
struct PacketLoadSettings {
    wire::packet::Format format = wire::packet::Format::extended;
    std::uint32_t orders_a_datagram = 1;  ///< extended format; 1 is valid too
    InstrumentId instrument{1};           ///< extended format
    std::uint32_t price_e2 = 10'000;
    bool echo = false;  ///< the far end returns what it receives
    /// Even: number of the order before the first. An exchange knows a sender by its address, and
    /// takes no number of it twice, also from a program that got the port of an earlier one.
    std::uint32_t before = 0;
};

/// What a load run over UDP has counted and measured.
struct PacketLoadTally {
    Histogram latency_ns{};      ///< of requests, while recording
    std::uint64_t asked = 0;     ///< orders
    std::uint64_t answered = 0;  ///< requests, including late ones
    std::uint64_t accepted = 0;  ///< answered requests that were neither refused nor deferred
    std::uint64_t trades = 0;
    std::uint64_t refused = 0;  ///< orders that the exchange rejected
    std::uint64_t busy = 0;     ///< orders that it deferred
    std::uint64_t strange = 0;  ///< datagrams that are not answers
};

class PacketLoad {
  public:
    explicit PacketLoad(const PacketLoadSettings& settings);

    /// Writes the next request to the path; returns false if it has no room. The caller flushes.
    template <net::DatagramPath Path>
    bool ask(Path& path, const net::Endpoint& to) {
        if (!has_begun_ && !begin(path, to)) return false;
        // If only half of a pair had room, the other half is sent next time.
        for (std::uint32_t i = half_asked_ ? 1 : 0; i < datagrams_a_request_; ++i) {
            const std::span<std::byte> memory = path.claim(to, datagram_bytes_);
            if (memory.empty()) return false;
            encode_next(memory);
            path.commit(datagram_bytes_);
            half_asked_ = i + 1 < datagrams_a_request_;
        }
        ++requests_;
        return true;
    }
    /// All requests written since the last call leave now.
    void stamp(std::int64_t now_ns);

    void hear(std::span<const std::byte> datagram, std::int64_t now_ns);

    /// Requests without an answer so far.
    [[nodiscard]] std::uint64_t outstanding() const { return requests_ - forgotten_ - complete_; }
    /// Stops waiting for outstanding requests. Later answers still count.
    void forget_outstanding();

    void record(bool on) { recording_ = on; }
    [[nodiscard]] const PacketLoadTally& tally() const { return tally_; }

  private:
    struct Slot {
        std::int64_t asked_ns = 0;
        std::uint32_t answered = 0;  ///< orders
    };
    static constexpr std::size_t k_slots = std::size_t{1} << 16;

    /// The exchange may know the port, of an earlier program with numbers far from these.
    template <net::DatagramPath Path>
    bool begin(Path& path, const net::Endpoint& to) {
        const std::span<std::byte> memory = path.claim(to, k_begin_bytes);
        if (memory.empty()) return false;
        encode_begin(memory);
        path.commit(k_begin_bytes);
        return has_begun_ = true;
    }

    static constexpr std::size_t k_begin_bytes = wire::packet::HeaderLayout::k_request_length;

    void encode_begin(std::span<std::byte> memory) const;
    void encode_next(std::span<std::byte> memory);
    void hear_echo(std::span<const std::byte> datagram, std::int64_t now_ns);
    void hear_trade(std::span<const std::byte> datagram, std::int64_t now_ns);
    void hear_replies(std::span<const std::byte> datagram, std::int64_t now_ns);
    void answered(std::uint64_t sequence, std::int64_t now_ns);
    void accepted(std::uint64_t sequence, std::int64_t now_ns);

    PacketLoadSettings settings_;
    std::uint32_t datagrams_a_request_;
    std::uint32_t orders_a_request_;
    std::size_t datagram_bytes_;
    std::uint32_t sequence_;  ///< of the last order
    bool has_begun_;          ///< always, where the format cannot say so
    bool half_asked_ = false;
    bool recording_ = false;
    std::uint64_t requests_ = 0;
    std::uint64_t stamped_ = 0;
    std::uint64_t complete_ = 0;          ///< among requests that are not forgotten
    std::uint64_t forgotten_ = 0;         ///< no longer waited for
    std::uint64_t forgotten_before_ = 0;  ///< requests from this one on are waited for
    std::vector<Slot> slots_;
    PacketLoadTally tally_;
};

}  // namespace damrak::client
