// Frames of Ethernet with a UDP datagram over IPv4, put together byte by byte (RFC 791, RFC 768) so
// that anything about them may be wrong, and a sender that hands them to the card as they are. For
// system tests, which do not depend on how the library writes frames. As root.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

#include "raw_binary.hpp"

namespace damrak::testing {

using Link = std::array<std::uint8_t, 6>;
using Address = std::array<std::uint8_t, 4>;

/// The ones' complement of the ones' complement sum of 16 bit words (RFC 1071).
[[nodiscard]] inline std::uint16_t internet_checksum(std::span<const std::byte> bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        sum += std::to_integer<std::uint32_t>(bytes[i]) << (i % 2 == 0 ? 8U : 0U);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16U);
    return static_cast<std::uint16_t>(~sum);
}

/// What a frame says of itself; build() makes it so, however wrong. Lengths and checksums that are
/// not given are right.
struct RawFrame {
    Link to_link{};
    Link from_link{};
    Address from{};
    Address to{};
    std::uint16_t from_port = 0;
    std::uint16_t to_port = 0;
    Bytes payload{};

    std::uint16_t ethertype = ETH_P_IP;
    std::uint8_t version = 4;
    Bytes options{};  ///< of IP; a multiple of four bytes
    std::uint16_t identification = 0;
    std::uint16_t fragment = 0;  ///< flags and offset
    std::uint8_t ttl = 64;
    std::uint8_t protocol = 17;
    std::int64_t ip_length_off_by = 0;
    std::int64_t udp_length_off_by = 0;
    std::uint16_t ip_checksum_wrong_by = 0;
    bool udp_checksum = true;
    std::uint16_t udp_checksum_wrong_by = 0;
    Bytes vlan_tag{};  ///< behind the link addresses
    std::size_t padding = 0;

    [[nodiscard]] Bytes build() const;
    /// The IP packet in two frames, cut behind this many bytes of UDP, header included.
    [[nodiscard]] std::array<Bytes, 2> build_fragments(std::size_t first_bytes) const;

  private:
    [[nodiscard]] static std::uint64_t length_field(std::size_t right, std::int64_t off_by) {
        return right + static_cast<std::uint64_t>(off_by);
    }
    [[nodiscard]] Bytes udp_part() const;
    [[nodiscard]] Bytes around(std::span<const std::byte> part, std::uint16_t fragment_field) const;
};

inline Bytes RawFrame::udp_part() const {
    Bytes udp;
    put(udp, from_port, 2);
    put(udp, to_port, 2);
    put(udp, length_field(8 + payload.size(), udp_length_off_by), 2);
    put(udp, 0, 2);
    append(udp, payload);
    if (!udp_checksum) return udp;
    Bytes summed;
    append(summed, std::as_bytes(std::span{from}));
    append(summed, std::as_bytes(std::span{to}));
    put(summed, protocol, 2);
    put(summed, udp.size(), 2);
    append(summed, udp);
    const auto sum = static_cast<std::uint16_t>(internet_checksum(summed) + udp_checksum_wrong_by);
    udp[6] = static_cast<std::byte>(sum >> 8U);
    udp[7] = static_cast<std::byte>(sum);
    return udp;
}

inline Bytes RawFrame::around(std::span<const std::byte> part, std::uint16_t fragment_field) const {
    const std::size_t header = 20 + options.size();
    Bytes ip;
    put(ip, std::size_t{version} * 16 + header / 4, 1);
    put(ip, 0, 1);
    put(ip, length_field(header + part.size(), ip_length_off_by), 2);
    put(ip, identification, 2);
    put(ip, fragment_field, 2);
    put(ip, ttl, 1);
    put(ip, protocol, 1);
    put(ip, 0, 2);
    append(ip, std::as_bytes(std::span{from}));
    append(ip, std::as_bytes(std::span{to}));
    append(ip, options);
    const auto sum = static_cast<std::uint16_t>(internet_checksum(ip) + ip_checksum_wrong_by);
    ip[10] = static_cast<std::byte>(sum >> 8U);
    ip[11] = static_cast<std::byte>(sum);
    Bytes frame;
    append(frame, std::as_bytes(std::span{to_link}));
    append(frame, std::as_bytes(std::span{from_link}));
    append(frame, vlan_tag);
    put(frame, ethertype, 2);
    append(frame, ip);
    append(frame, part);
    frame.resize(frame.size() + padding, std::byte{0xee});
    return frame;
}

inline Bytes RawFrame::build() const { return around(udp_part(), fragment); }

inline std::array<Bytes, 2> RawFrame::build_fragments(std::size_t first_bytes) const {
    constexpr std::uint16_t k_more_follow = 0x2000;
    const Bytes udp = udp_part();
    return {
        around(std::span{udp}.first(first_bytes), k_more_follow),
        around(std::span{udp}.subspan(first_bytes), static_cast<std::uint16_t>(first_bytes / 8))};
}

/// Sends frames as they are through one interface.
class RawCard {
  public:
    explicit RawCard(const char* interface)
        : socket_(::socket(AF_PACKET, SOCK_RAW, 0)),  // hears nothing
          index_(static_cast<int>(::if_nametoindex(interface))) {
        ifreq request{};
        std::string{interface}.copy(request.ifr_name, IFNAMSIZ - 1);
        DAMRAK_ASSERT(socket_ >= 0 && ::ioctl(socket_, SIOCGIFHWADDR, &request) == 0);
        std::ranges::copy_n(request.ifr_hwaddr.sa_data, 6, link_.begin());
    }
    RawCard(const RawCard&) = delete;
    RawCard& operator=(const RawCard&) = delete;
    ~RawCard() { ::close(socket_); }

    [[nodiscard]] const Link& link() const { return link_; }
    /// Whether the card took it.
    bool send(std::span<const std::byte> frame) const {
        sockaddr_ll to{};
        to.sll_family = AF_PACKET;
        to.sll_ifindex = index_;
        return ::sendto(socket_, frame.data(), frame.size(), 0,
                        reinterpret_cast<const sockaddr*>(&to),
                        sizeof to) == static_cast<ssize_t>(frame.size());
    }

  private:
    int socket_;
    int index_;
    Link link_{};
};

}  // namespace damrak::testing
