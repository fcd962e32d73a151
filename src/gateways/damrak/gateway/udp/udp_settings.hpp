// The settings of the UDP gateway, and the addresses by which it knows participants: plain values,
// in the bags of the exchange's settings, and their rows. At start or reload.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/gateway/setting.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/net/any_path.hpp>

namespace damrak::gateway::udp {

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
};

/// Of a participant.
struct UdpSources {
    std::vector<Identities::Source> all;
};

void add_udp_rows(Rows<Settings>& rows);
[[nodiscard]] std::optional<Misfit> check_udp(const Settings& settings);

/// The addresses of participants.
extern const CredentialKind k_udp_sources;

}  // namespace damrak::gateway::udp
