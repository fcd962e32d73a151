// Settings and counters of the UDP gateway. Plain values; other threads see the counters once a
// turn (UdpGateway::published()).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/gateway/udp/udp_clients.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::gateway::udp {

struct UdpGatewayConfig {
    /// Instrument of orders in the public formats, which name none, and of extended orders with
    /// instrument zero.
    InstrumentId instrument{1};
    /// Maximum number of senders; further ones are refused until others were silent for long
    /// enough.
    std::uint32_t maximum_sources = 4'096;
    /// Maximum number of unidentified senders, if identities are configured; the other places are
    /// reserved. Zero: half.
    std::uint32_t maximum_anonymous = 0;
    /// A sender without open orders is forgotten after this silence, with its numbers.
    std::int64_t source_timeout_ns = 300'000'000'000;
    /// Cancels the orders of a sender that is silent for that long.
    bool cancel_on_silence = false;
    std::uint32_t messages_per_second = 0;  ///< per sender; zero: no limit
    std::uint32_t burst_messages = 0;
    /// Destination of trade reports in the public formats: this address and port; zero: the order's
    /// source.
    net::Endpoint reply_to{};
    /// Prevents senders from choosing colliding names; drawn at start.
    std::uint64_t salt = 0;
};

/// The last fault in a datagram or order.
enum class UdpTrouble : std::uint8_t {
    none,
    malformed,
    duplicate,
    too_old,
    gap,
    far_ahead,
    begun_anew,
    busy,
    refused,
    no_room,
    reply_lost,
};

struct UdpCounters {
    std::uint64_t datagrams = 0;                                 ///< received datagrams
    std::uint64_t orders = 0;                                    ///< orders and changes in them
    std::array<std::uint64_t, wire::packet::k_faults> faults{};  ///< by Fault
    std::uint64_t duplicates = 0;                                ///< dropped
    std::uint64_t too_old = 0;                                   ///< dropped
    std::uint64_t gaps = 0;                                      ///< gaps in the numbers
    std::uint64_t missing = 0;                                   ///< skipped numbers
    std::uint64_t far_ahead = 0;                                 ///< dropped
    std::uint64_t begun_anew = 0;                                ///< restarts of a sender's numbers
    std::uint64_t late = 0;          ///< skipped numbers that arrived later
    std::uint64_t busy = 0;          ///< orders refused for lack of space; may be sent again
    std::uint64_t refused = 0;       ///< orders refused by the gateway
    std::uint64_t rejected = 0;      ///< orders rejected by the exchange
    std::uint64_t no_room = 0;       ///< datagrams of senders beyond the maximum
    std::uint64_t postponed = 0;     ///< orders that were postponed
    std::uint64_t replies = 0;       ///< sent replies
    std::uint64_t replies_lost = 0;  ///< replies dropped for lack of space
    std::uint64_t sources = 0;       ///< known senders
    std::uint64_t anonymous = 0;     ///< of these, anonymous
    std::uint64_t maximum_sources = 0;
    std::uint64_t maximum_anonymous = 0;
    std::uint64_t forgotten = 0;  ///< senders forgotten after silence
    std::uint64_t replaced = 0;   ///< idle senders replaced when the table was full
    SessionId troubled{};         ///< session of the last trouble
    UdpTrouble trouble = UdpTrouble::none;
    std::uint8_t reason = 0;  ///< of a refusal: a Reason or a Refusal; or the Fault
    std::array<std::uint8_t, 4> zero{};
    std::uint16_t troubled_port6 = 0;                  ///< of an IPv6 sender
    std::array<std::uint8_t, 16> troubled_address6{};  ///< its address

    [[nodiscard]] std::uint64_t malformed() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t count : faults) sum += count;
        return sum;
    }
};

}  // namespace damrak::gateway::udp
