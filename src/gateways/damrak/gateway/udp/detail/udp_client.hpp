// A sender of the UDP gateway, and an order of a sender: plain values, kept by UdpClients. Includes
// the layout of the journal fields that answers and restarts need.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <damrak/base/sequence_window.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::gateway::udp {

inline constexpr GatewayNumber k_udp_gateway{2};

enum class UdpRequest : std::uint8_t { none, open, begin, new_order, cancel, modify, forget };

struct UdpNote {
    UdpRequest request{};
    std::uint8_t format = 0;  ///< wire format of its answers
    std::array<std::uint8_t, 6> link{};
    ClientOrderId name{};
    std::uint64_t zero = 0;

    /// Stores an IPv6 sender in the record that opens its session: the address in the field of the
    /// order name, the port after the interface number.
    void set_end6(const std::array<std::uint8_t, 16>& address, std::uint16_t port) {
        const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(address);
        name = {halves[0]};
        zero = halves[1];
        link[4] = static_cast<std::uint8_t>(port >> 8U);
        link[5] = static_cast<std::uint8_t>(port);
    }
    [[nodiscard]] std::array<std::uint8_t, 16> address6() const {
        return std::bit_cast<std::array<std::uint8_t, 16>>(std::array{name.value, zero});
    }

    [[nodiscard]] Tag tag() const { return std::bit_cast<Tag>(*this); }
    [[nodiscard]] static UdpNote of(const Tag& tag) { return std::bit_cast<UdpNote>(tag); }
};
static_assert(sizeof(UdpNote) == sizeof(Tag));

/// The session id of the sender at an IPv4 address and port.
[[nodiscard]] constexpr SessionId udp_session(const std::array<std::uint8_t, 4>& address,
                                              std::uint16_t port) {
    std::uint64_t number = 0;
    for (const std::uint8_t part : address) number = number << 8U | part;
    return session_at(k_udp_gateway, number << 16U | port);
}
/// The same for an IPv6 address: a 48-bit hash. Senders with equal hashes are distinguished by
/// their addresses, and only one of them is accepted.
inline constexpr std::uint64_t k_udp_ipv6 = std::uint64_t{1} << 48U;
[[nodiscard]] constexpr SessionId udp_session6(const std::array<std::uint8_t, 16>& address,
                                               std::uint16_t port) {
    constexpr std::uint64_t k_odd = 0x9e37'79b9'7f4a'7c15;  // 2^64 divided by the golden ratio
    std::uint64_t hash = port;
    for (const std::uint8_t part : address) {
        hash = (hash ^ part) * k_odd;
        hash ^= hash >> 29U;
    }
    return session_at(k_udp_gateway, k_udp_ipv6 | hash >> 16U);
}
[[nodiscard]] constexpr bool is_udp_ipv6(SessionId session) {
    return (session.value & k_udp_ipv6) != 0;
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
    static constexpr std::size_t k_begins_known = 4;

    SessionId session{};
    ParticipantId participant{};
    std::uint32_t open_orders = 0;
    std::array<std::uint8_t, 6> link{};  ///< where its last session began
    std::uint8_t has_ordered = 0;
    std::uint8_t begins = 0;  ///< number of valid entries in `begun`
    /// The numbers after which its numbering restarted, latest first.
    std::array<std::uint32_t, k_begins_known> begun{};
    SequenceWindow window;
    std::array<std::uint8_t, 16> address6{};  ///< for IPv6; the port is the end of `link`

    [[nodiscard]] std::uint16_t port6() const {
        return static_cast<std::uint16_t>(link[4] << 8U | link[5]);
    }
    [[nodiscard]] bool knows_begin(std::uint32_t sequence) const {
        const auto* const end = begun.begin() + begins;
        return std::find(begun.begin(), end, sequence) != end;
    }
    void begin_behind(std::uint32_t sequence) {
        std::shift_right(begun.begin(), begun.end(), 1);
        begun.front() = sequence;
        begins = static_cast<std::uint8_t>(std::min<std::size_t>(begins + 1U, k_begins_known));
        window = {};
        window.note(sequence);
    }
};

struct UdpOrder {
    OrderId id{};  ///< zero: not yet known
    ClientOrderId name{};
    ParticipantId participant{};
    std::uint32_t source = 0;
    std::uint32_t sequence = 0;  ///< of the order, or of its last change
    InstrumentId instrument{};
    Side side{};
    std::uint8_t format = 0;
    std::uint16_t is_open = 0;  ///< of UdpClients
};

}  // namespace damrak::gateway::udp
