// Answers to requests of MoldUDP64, without I/O: a request and time in, a packet out. One request,
// one packet, with as many of the messages as fit; clients ask again for the rest. Each address has
// a rate limit, and so have all together, so that no client can use up the line. One thread; no
// allocation after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <damrak/base/token_bucket.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/wire/moldudp/decode.hpp>
#include <damrak/wire/moldudp/encode.hpp>

namespace damrak::feed {

/// Address of a client without its port: IPv6, or IPv4 in the first four bytes.
using RetransmissionAddress = std::array<std::byte, 16>;

/// How much a client may request again.
struct RetransmissionConfig {
    std::uint32_t packets_per_second = 1'000;  ///< to one address; zero: no limit
    std::uint32_t burst_packets = 200;
    std::uint32_t all_packets_per_second = 50'000;  ///< to all of them; zero: no limit
    std::uint32_t all_burst_packets = 5'000;
    /// Number of addresses whose rates are tracked. A further one replaces the one that was silent
    /// longest.
    std::size_t addresses = 4'096;
};

/// Answers requests for messages of the feed that a client missed.
class RetransmissionServer {
  public:
    /// What the server has answered and refused so far.
    struct Counters {
        std::uint64_t answered = 0;
        std::uint64_t messages = 0;     ///< in the answers
        std::uint64_t malformed = 0;    ///< datagrams that are not requests
        std::uint64_t unavailable = 0;  ///< requests for an unknown session or for later messages
        std::uint64_t limited = 0;      ///< refused by a rate limit
    };

    explicit RetransmissionServer(const RetransmissionConfig& config);

    /// The answer to a datagram from this address; empty: none. Valid until the next call.
    ///
    /// open(session, sequence) returns an optional of something with read(memory), such as
    /// FeedReader, at that position; nothing if there is no such session or message.
    template <class Open>
    [[nodiscard]] std::span<const std::byte> answer(std::span<const std::byte> datagram,
                                                    const RetransmissionAddress& from,
                                                    Timestamp now, Open&& open) {
        const auto request = wire::moldudp::decode_request(datagram);
        if (!request) return refuse(counters_.malformed);
        Client& client = client_of(from);
        client.last_use = ++uses_;
        if (!client.bucket.allows(now.value) || !all_.allows(now.value))
            return refuse(counters_.limited);
        client.bucket.take();
        all_.take();
        auto source = open(request->session, request->sequence);
        if (!source) return refuse(counters_.unavailable);
        builder_ = wire::moldudp::PacketBuilder{request->session};
        builder_.begin(request->sequence);
        builder_.add(source->read(builder_.room()), request->count);
        if (builder_.empty()) return refuse(counters_.unavailable);
        ++counters_.answered;
        counters_.messages += builder_.messages();
        return builder_.packet();
    }

    [[nodiscard]] const Counters& counters() const { return counters_; }

  private:
    struct Client {
        RetransmissionAddress address{};
        std::uint64_t last_use = 0;  ///< zero: a free entry
        TokenBucket bucket;
    };
    /// Entries in which an address may be: a few, shared by all with the same hash.
    static constexpr std::size_t k_places = 8;

    [[nodiscard]] static std::span<const std::byte> refuse(std::uint64_t& counter) {
        ++counter;
        return {};
    }
    [[nodiscard]] Client& client_of(const RetransmissionAddress& address);

    RetransmissionConfig config_;
    TokenBucket all_;
    std::vector<Client> clients_;
    std::uint64_t uses_ = 0;
    wire::moldudp::PacketBuilder builder_{{}};
    Counters counters_;
};

}  // namespace damrak::feed
