// A path that repeats recorded datagrams from memory and discards answers: no card, kernel or
// sender. Measures the speed of everything behind a path. One thread receives and one sends; it may
// be the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <damrak/net/datagram_path.hpp>
#include <damrak/wire/packet/descriptor.hpp>

namespace damrak::lab::ingest {

/// An encoded order.
using Packet = std::array<std::byte, wire::packet::Packed::k_length>;

class LoopedPath {
  public:
    /// Needs at least one packet.
    explicit LoopedPath(std::vector<Packet> packets) : packets_(std::move(packets)) {}

    template <class Receiver>
    std::size_t receive(std::size_t quota, int /*wait_ms*/, Receiver&& receiver) {
        for (std::size_t i = 0; i < quota; ++i) {
            receiver(net::Datagram{.bytes = packets_[next_], .source = k_somebody});
            if (++next_ == packets_.size()) next_ = 0;
        }
        received_ += quota;
        return quota;
    }

    [[nodiscard]] std::span<std::byte> claim(const net::Endpoint& /*to*/, std::size_t at_most) {
        return std::span{answer_}.first(at_most);
    }
    void commit(std::size_t /*bytes*/) { ++sent_; }
    void flush() {}

    [[nodiscard]] std::uint16_t port() const { return 0; }
    [[nodiscard]] int descriptor() const { return -1; }
    [[nodiscard]] std::string describe() const { return "recorded packets from memory"; }
    [[nodiscard]] net::PathCounters counters() const {
        return {.received = received_, .sent = sent_};
    }

  private:
    static constexpr net::Endpoint k_somebody{.link = {}, .address = {10, 0, 0, 1}, .port = 1};

    std::vector<Packet> packets_;
    std::size_t next_ = 0;
    std::uint64_t received_ = 0;
    alignas(128) std::uint64_t sent_ = 0;
    std::array<std::byte, net::k_largest_claim_bytes> answer_{};
};

static_assert(net::DatagramPath<LoopedPath>);

}  // namespace damrak::lab::ingest
