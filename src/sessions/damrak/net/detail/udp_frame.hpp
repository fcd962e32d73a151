// Ethernet frames with one whole UDP datagram over IPv4 without options: parsing and writing (RFC
// 768, RFC 791, RFC 1071). Safe for any bytes. Used by XdpPath for each frame; some ten
// nanoseconds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>
#include <vector>

#include <damrak/base/byte_order.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/net/detail/udp_checksum.hpp>

namespace damrak::net::detail {

inline constexpr std::size_t k_ethernet_bytes = 14;
inline constexpr std::size_t k_ip_bytes = 20;
inline constexpr std::size_t k_udp_bytes = 8;
inline constexpr std::size_t k_frame_header_bytes = k_ethernet_bytes + k_ip_bytes + k_udp_bytes;

// Offsets of fields that are accessed one by one.
inline constexpr std::size_t k_source_link_at = 6;
inline constexpr std::size_t k_ethertype_at = 12;
inline constexpr std::size_t k_ip_at = k_ethernet_bytes;
inline constexpr std::size_t k_ip_length_at = k_ip_at + 2;
inline constexpr std::size_t k_ip_fragment_at = k_ip_at + 6;
inline constexpr std::size_t k_ip_ttl_at = k_ip_at + 8;
inline constexpr std::size_t k_ip_protocol_at = k_ip_at + 9;
inline constexpr std::size_t k_ip_checksum_at = k_ip_at + 10;
inline constexpr std::size_t k_ip_source_at = k_ip_at + 12;
inline constexpr std::size_t k_ip_target_at = k_ip_at + 16;
inline constexpr std::size_t k_udp_at = k_ip_at + k_ip_bytes;
inline constexpr std::size_t k_udp_target_at = k_udp_at + 2;
inline constexpr std::size_t k_udp_length_at = k_udp_at + 4;

inline constexpr std::uint16_t k_ethertype_ipv4 = 0x0800;
inline constexpr std::byte k_version_4_no_options{0x45};
inline constexpr std::byte k_protocol_udp{17};
inline constexpr std::uint16_t k_do_not_fragment = 0x4000;
inline constexpr std::uint16_t k_more_or_offset = 0x3fff;

/// The ones' complement sum over the IP header, folded: all ones if its checksum is right.
[[nodiscard]] inline std::uint16_t sum_of_ip_header(const std::byte* ip) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < k_ip_bytes; i += 2) sum += load_be<std::uint16_t>(ip + i);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum + (sum >> 16));
}

/// Which frames a path accepts.
struct FrameRules {
    Endpoint self{};
    bool verify_checksum = true;          ///< of UDP; otherwise the card verifies it
    bool begun_checksum = false;          ///< may occur, see udp_checksum.hpp
    std::vector<std::uint32_t> nobody{};  ///< our own addresses and broadcast addresses

    [[nodiscard]] bool impossible(const std::byte* source) const {
        return is_impossible_source(source) ||
               std::ranges::find(nobody, load_be<std::uint32_t>(source)) != nobody.end();
    }
};

/// The datagram in a frame to `rules.self`, or why there is none. Padding of short frames is not
/// part of it.
[[nodiscard]] inline std::expected<Datagram, Unusable> read_udp_frame(
    std::span<const std::byte> frame, const FrameRules& rules) {
    if (frame.size() < k_frame_header_bytes) return std::unexpected{Unusable::length};
    const std::byte* const at = frame.data();
    const std::size_t ip_length = load_be<std::uint16_t>(at + k_ip_length_at);
    const std::size_t udp_length = load_be<std::uint16_t>(at + k_udp_length_at);
    // The program on the card has checked the destination already.
    if (load_be<std::uint16_t>(at + k_ethertype_at) != k_ethertype_ipv4 ||
        at[k_ip_at] != k_version_4_no_options || at[k_ip_protocol_at] != k_protocol_udp ||
        (load_be<std::uint16_t>(at + k_ip_fragment_at) & k_more_or_offset) != 0 ||
        std::memcmp(at + k_ip_target_at, rules.self.address.data(), 4) != 0 ||
        load_be<std::uint16_t>(at + k_udp_target_at) != rules.self.port)
        return std::unexpected{Unusable::elsewhere};
    if (udp_length < k_udp_bytes || ip_length != k_ip_bytes + udp_length ||
        frame.size() < k_ethernet_bytes + ip_length)
        return std::unexpected{Unusable::length};
    if (sum_of_ip_header(at + k_ip_at) != 0xffff) return std::unexpected{Unusable::checksum};
    if (rules.impossible(at + k_ip_source_at)) return std::unexpected{Unusable::source};
    if (rules.verify_checksum &&
        !udp_checksum_is_right(at + k_ip_source_at, frame.subspan(k_udp_at, udp_length),
                               rules.begun_checksum))
        return std::unexpected{Unusable::checksum};
    Datagram datagram;
    datagram.bytes = frame.subspan(k_frame_header_bytes, udp_length - k_udp_bytes);
    std::memcpy(datagram.source.link.data(), at + k_source_link_at, datagram.source.link.size());
    std::memcpy(datagram.source.address.data(), at + k_ip_source_at, 4);
    datagram.source.port = load_be<std::uint16_t>(at + k_udp_at);
    return datagram;
}

/// Writes the headers of outgoing datagrams. The payload is written in place first.
class UdpFrameWriter {
  public:
    explicit UdpFrameWriter(const Endpoint& self) {
        std::byte* const at = template_.data();
        std::memcpy(at + k_source_link_at, self.link.data(), self.link.size());
        store_be(at + k_ethertype_at, k_ethertype_ipv4);
        at[k_ip_at] = k_version_4_no_options;
        store_be(at + k_ip_fragment_at, k_do_not_fragment);
        at[k_ip_ttl_at] = std::byte{k_time_to_live};
        at[k_ip_protocol_at] = k_protocol_udp;
        std::memcpy(at + k_ip_source_at, self.address.data(), self.address.size());
        store_be(at + k_udp_at, self.port);
    }

    /// Writes the headers of a datagram to that endpoint; finish() completes them.
    void begin(std::byte* frame, const Endpoint& to) const {
        std::memcpy(frame, template_.data(), template_.size());
        std::memcpy(frame, to.link.data(), to.link.size());
        std::memcpy(frame + k_ip_target_at, to.address.data(), to.address.size());
        store_be(frame + k_udp_target_at, to.port);
    }

    /// Sets the lengths and the IP checksum. The UDP checksum stays 0, which means none over IPv4.
    /// Returns the length of the frame.
    static std::size_t finish(std::byte* frame, std::size_t payload_bytes) {
        const auto udp_length = static_cast<std::uint16_t>(k_udp_bytes + payload_bytes);
        store_be(frame + k_ip_length_at, static_cast<std::uint16_t>(k_ip_bytes + udp_length));
        store_be(frame + k_udp_length_at, udp_length);
        const auto sum = sum_of_ip_header(frame + k_ip_at);
        store_be(frame + k_ip_checksum_at, static_cast<std::uint16_t>(~sum));
        return k_frame_header_bytes + payload_bytes;
    }

  private:
    static constexpr std::uint8_t k_time_to_live = 64;

    std::array<std::byte, k_frame_header_bytes> template_{};
};

}  // namespace damrak::net::detail
