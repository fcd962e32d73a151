// The checksum of UDP over IPv4 (RFC 768, RFC 1071), and impossible source addresses (RFC 1122,
// 3.2.1.3; "martian" in the kernel). Used for each frame of an AF_XDP path, which the kernel has
// not checked: some five nanoseconds for an order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <damrak/base/byte_order.hpp>

namespace damrak::net::detail {

/// The ones' complement sum over pieces of a packet, each of which begins at an even offset. The
/// sum does not depend on the byte order, so it adds the bytes as they are in memory.
class OnesComplementSum {
  public:
    void add(std::span<const std::byte> bytes) {
        const std::byte* at = bytes.data();
        std::size_t left = bytes.size();
        for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
            add_word(at, sizeof(std::uint64_t));
            at += sizeof(std::uint64_t);
        }
        if (left > 0) add_word(at, left);
    }
    /// 16 bits, in the byte order of this machine.
    [[nodiscard]] std::uint16_t folded() const {
        std::uint64_t sum = (sum_ & 0xffff'ffffU) + (sum_ >> 32U);
        sum = (sum & 0xffffU) + (sum >> 16U);
        sum = (sum & 0xffffU) + (sum >> 16U);
        return static_cast<std::uint16_t>((sum & 0xffffU) + (sum >> 16U));
    }

  private:
    void add_word(const std::byte* at, std::size_t bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, bytes);
        sum_ += word;
        sum_ += sum_ < word ? 1U : 0U;
    }

    std::uint64_t sum_ = 0;
};

/// Checks a datagram; its source and destination (eight bytes of the IP header) are at `addresses`.
/// A datagram without a checksum is valid. With `begun`, so is one whose checksum covers only the
/// pseudo header: a sender on this machine leaves the rest to the card, and a virtual card never
/// completes it.
[[nodiscard]] inline bool udp_checksum_is_right(const std::byte* addresses,
                                                std::span<const std::byte> udp, bool begun) {
    constexpr std::size_t k_checksum_at = 6;
    std::uint16_t checksum = 0;
    std::memcpy(&checksum, udp.data() + k_checksum_at, sizeof checksum);
    if (checksum == 0) return true;
    OnesComplementSum pseudo;
    pseudo.add({addresses, 8});
    std::array<std::byte, 4> protocol_and_length{std::byte{0}, std::byte{17}};
    store_be(protocol_and_length.data() + 2, static_cast<std::uint16_t>(udp.size()));
    pseudo.add(protocol_and_length);
    OnesComplementSum all = pseudo;
    all.add(udp);
    return all.folded() == 0xffff || (begun && checksum == pseudo.folded());
}

/// No outside host has this address: this network, loopback, multicast, or broadcast.
[[nodiscard]] inline bool is_impossible_source(const std::byte* address) {
    const auto first = std::to_integer<unsigned>(address[0]);
    return first == 0 || first == 127 || (first & 0xf0U) == 0xe0U ||
           load_be<std::uint32_t>(address) == 0xffff'ffffU;
}

}  // namespace damrak::net::detail
