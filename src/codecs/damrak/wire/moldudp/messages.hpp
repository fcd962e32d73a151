// The two packets of MoldUDP64 as plain values. A downstream packet has message blocks after its
// header; a request is only the header.
#pragma once

#include <array>
#include <cstdint>

#include <damrak/wire/moldudp/detail/descriptor.hpp>

namespace damrak::wire::moldudp {

using SessionName = std::array<char, 10>;

/// The header of a packet.
struct Header {
    SessionName session{};
    std::uint64_t sequence = 0;  ///< of the first message; in heartbeat and end: of the next one
    std::uint16_t count = 0;     ///< of messages, or k_heartbeat or k_end_of_session

    [[nodiscard]] bool is_end() const { return count == k_end_of_session; }
    [[nodiscard]] std::uint16_t messages() const { return is_end() ? std::uint16_t{0} : count; }
    friend bool operator==(const Header&, const Header&) = default;
};

/// Asks for messages to be sent again.
struct Request {
    SessionName session{};
    std::uint64_t sequence = 0;  ///< of the first requested message
    std::uint16_t count = 0;     ///< number of messages, at least one
    friend bool operator==(const Request&, const Request&) = default;
};

}  // namespace damrak::wire::moldudp
