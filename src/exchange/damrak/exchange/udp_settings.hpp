// Settings of the UDP gateway: plain values, part of Settings.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/net/any_path.hpp>

namespace damrak::exchange {

/// The words for net::PathChoice and net::XdpMode, in the order of their values.
inline constexpr std::array<std::string_view, 3> k_udp_paths{"auto", "socket", "xdp"};
inline constexpr std::array<std::string_view, 3> k_xdp_modes{"auto", "native", "generic"};

struct UdpSettings {
    net::PathChoice path = net::PathChoice::socket;
    std::string interface;  ///< empty: sockets on the address of the gateways
    net::XdpMode mode = net::XdpMode::automatic;
    bool prefer_busy_poll = false;
    std::uint32_t queues = 0;     ///< AF_XDP; zero: all queues of the interface
    bool verify_checksum = true;  ///< AF_XDP; false: the card drops bad packets
    std::uint32_t receive_frames = net::k_usual_receive_frames;  ///< AF_XDP, per queue
    std::uint32_t send_frames = net::k_usual_send_frames;
    std::uint32_t instrument = 0;  ///< of the public formats; zero: the first
    std::string reply_to;  ///< of trades in the public formats: a port, or an address and a port
    std::uint32_t sources = 4'096;
    std::uint32_t anonymous_sources = 0;  ///< if some are identified; zero: half
    std::uint32_t source_timeout_s = 300;
    friend bool operator==(const UdpSettings&, const UdpSettings&) = default;
};

}  // namespace damrak::exchange
