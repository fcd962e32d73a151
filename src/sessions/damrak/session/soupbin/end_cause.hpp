// Why a SoupBinTCP connection ended, as servers count it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace damrak::session {

enum class EndCause : std::uint8_t {
    regular,  ///< the client left, or its session is over
    login_rejected,
    no_login,  ///< in time
    silent,    ///< neither messages nor heartbeats
    protocol,  ///< it sent what a client does not send
    limit,     ///< its messages of the day are used up
    replaced,  ///< its user logged in again
    no_room,   ///< as many connections as may be were open
};
/// Those that are not regular, by EndCause: labels of metrics.
inline constexpr std::array<std::string_view, 8> k_end_causes{
    "", "login_rejected", "no_login", "silent", "protocol", "limit", "replaced", "no_room"};

}  // namespace damrak::session
