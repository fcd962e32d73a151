// A sender of orders in datagrams that measures what comes back: what `damrak load --door udp` puts
// on a path. Its orders come in pairs, a sell that rests and a buy that takes it, so that the book
// stays as it is however long this goes on.
//
// What it counts as one request is what its answer can be told of: in the extended format a
// datagram of some orders, answered when each of them is; in the public ones, which answer trades
// only, such a pair, answered by its trade. The latency of that runs from the order that makes the
// trade, which leaves last. One thread; nothing is allocated once it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/base/histogram.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/wire/packet/encode.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::client {

struct PacketLoadSettings {
    wire::packet::Format format = wire::packet::Format::extended;
    std::uint32_t orders_a_datagram = 1;  ///< of the extended format, even if not 1
    InstrumentId instrument{1};           ///< of the extended format
    std::uint32_t price_e2 = 10'000;
    bool echo = false;  ///< the far end sends back what it got
};

struct PacketLoadTally {
    Histogram latency_ns{};      ///< of requests, while recording
    std::uint64_t asked = 0;     ///< orders
    std::uint64_t answered = 0;  ///< of them, also late
    std::uint64_t accepted = 0;  ///< of those that were answered: neither refused nor put off
    std::uint64_t trades = 0;
    std::uint64_t refused = 0;  ///< orders that the exchange rejected
    std::uint64_t busy = 0;     ///< orders that it put off
    std::uint64_t strange = 0;  ///< datagrams that are no answer
};

class PacketLoad {
  public:
    explicit PacketLoad(const PacketLoadSettings& settings);

    /// Writes the next request to the path; false: it has no room. Flushing is the caller's.
    template <net::DatagramPath Path>
    bool ask(Path& path, const net::Endpoint& to) {
        // Of a pair of which only one half had room, the other is asked next time.
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
    /// All that was asked since the last call left now.
    void stamp(std::int64_t now_ns);

    void hear(std::span<const std::byte> datagram, std::int64_t now_ns);

    /// Requests whose answers are not all there, and are still waited for.
    [[nodiscard]] std::uint64_t outstanding() const { return requests_ - forgotten_ - complete_; }
    /// Waits no longer for what is outstanding. An answer that comes later still counts as one.
    void forget_outstanding();

    void record(bool on) { recording_ = on; }
    [[nodiscard]] const PacketLoadTally& tally() const { return tally_; }

  private:
    struct Slot {
        std::int64_t asked_ns = 0;
        std::uint32_t answered = 0;  ///< orders
    };
    static constexpr std::size_t k_slots = std::size_t{1} << 16;

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
    std::uint32_t sequence_ = 0;  ///< of the last order
    bool half_asked_ = false;
    bool recording_ = false;
    std::uint64_t requests_ = 0;
    std::uint64_t stamped_ = 0;
    std::uint64_t complete_ = 0;          ///< of those that are not forgotten
    std::uint64_t forgotten_ = 0;         ///< never to be waited for again
    std::uint64_t forgotten_before_ = 0;  ///< the request from which on they are waited for
    std::vector<Slot> slots_;
    PacketLoadTally tally_;
};

}  // namespace damrak::client
