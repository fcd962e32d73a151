// A sender of the UDP door and an order of one: plain values, kept by UdpClients. What a request
// leaves in its record of the journal for its answers, and for a restart, is here as well.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <damrak/base/sequence_window.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::views {

enum class UdpRequest : std::uint8_t { none, open, begin, new_order, cancel, modify, forget };

struct UdpNote {
    UdpRequest request{};
    std::uint8_t format = 0;  ///< of the wire, in which the answers go
    std::array<std::uint8_t, 6> link{};
    ClientOrderId name{};
    std::uint64_t zero = 0;

    [[nodiscard]] Tag tag() const { return std::bit_cast<Tag>(*this); }
    [[nodiscard]] static UdpNote of(const Tag& tag) { return std::bit_cast<UdpNote>(tag); }
};
static_assert(sizeof(UdpNote) == sizeof(Tag));

/// The session of the sender at an IPv4 address and port: its id says which.
[[nodiscard]] constexpr SessionId udp_session(const std::array<std::uint8_t, 4>& address,
                                              std::uint16_t port) {
    std::uint64_t number = 0;
    for (const std::uint8_t part : address) number = number << 8U | part;
    return session_at(Door::udp, number << 16U | port);
}
[[nodiscard]] constexpr std::array<std::uint8_t, 4> udp_address(SessionId session) {
    const auto part = [session](unsigned shift) {
        return static_cast<std::uint8_t>(session.value >> shift);
    };
    return {part(40), part(32), part(24), part(16)};
}
[[nodiscard]] constexpr std::uint16_t udp_port(SessionId session) {
    return static_cast<std::uint16_t>(session.value);
}

struct UdpSource {
    SessionId session{};
    ParticipantId participant{};
    std::uint32_t open_orders = 0;
    std::array<std::uint8_t, 6> link{};  ///< where its last session began
    std::uint8_t has_ordered = 0;
    std::uint8_t has_begun = 0;
    std::uint32_t begun = 0;  ///< the number behind which its numbers began anew
    SequenceWindow window;
};

struct UdpOrder {
    OrderId id{};  ///< zero: the exchange has not said yet
    ClientOrderId name{};
    ParticipantId participant{};
    std::uint32_t source = 0;
    std::uint32_t sequence = 0;  ///< of the order, or of its last change
    InstrumentId instrument{};
    Side side{};
    std::uint8_t format = 0;
    std::uint16_t is_open = 0;  ///< of UdpClients
};

}  // namespace damrak::views
