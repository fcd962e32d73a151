// Frames that carry an order to the UDP gateway, each with one thing about it that is wrong or
// unusual, and what becomes of it over sockets and over AF_XDP.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <linux/if_ether.h>

#include "raw_frame.hpp"

namespace damrak::testing {

/// Result of a frame.
enum class Fate : std::uint8_t {
    entered,    ///< it is an order
    malformed,  ///< an invalid datagram
    unusable,   ///< to us, but nothing that the path takes
    dropped,    ///< by the kernel, which tells
    nowhere,    ///< the exchange never hears of it
};

struct FrameCase {
    const char* what;
    std::function<void(RawFrame&)> change;
    Fate by_socket;
    Fate by_xdp;
};

// The order of each frame is sound; what is around it is not, or is unusual. What is odd but right
// the kernel delivers; over AF_XDP it ends at the socket that holds the port.
[[nodiscard]] inline std::vector<FrameCase> frame_cases() {
    using enum Fate;
    return {
        {"nothing unusual", [](RawFrame&) {}, entered, entered},
        {"no UDP checksum", [](RawFrame& f) { f.udp_checksum = false; }, entered, entered},
        {"a wrong UDP checksum", [](RawFrame& f) { f.udp_checksum_wrong_by = 1; }, nowhere,
         unusable},
        {"a wrong IP checksum", [](RawFrame& f) { f.ip_checksum_wrong_by = 1; }, nowhere, unusable},
        {"filled up behind its end", [](RawFrame& f) { f.padding = 40; }, entered, entered},
        {"not to be cut", [](RawFrame& f) { f.fragment = 0x4000; }, entered, entered},
        {"one hop left", [](RawFrame& f) { f.ttl = 1; }, entered, entered},
        {"options of IP", [](RawFrame& f) { f.options = from_hex("01010101"); }, entered, unusable},
        {"as many options as there may be",
         [](RawFrame& f) { f.options = Bytes(40, std::byte{1}); }, entered, unusable},
        {"to all cards", [](RawFrame& f) { f.to_link.fill(0xff); }, entered, unusable},
        {"in the network of VLAN 5", [](RawFrame& f) { f.vlan_tag = from_hex("81000005"); },
         nowhere, unusable},
        {"with a VLAN's priority only", [](RawFrame& f) { f.vlan_tag = from_hex("8100e000"); },
         entered, unusable},
        {"the first of two fragments", [](RawFrame& f) { f.fragment = 0x2000; }, nowhere, unusable},
        {"a last fragment", [](RawFrame& f) { f.fragment = 4; }, nowhere, nowhere},
        {"an IP length beyond the frame", [](RawFrame& f) { f.ip_length_off_by = 1; }, nowhere,
         unusable},
        {"an IP length shorter than UDP's", [](RawFrame& f) { f.ip_length_off_by = -1; }, nowhere,
         unusable},
        {"a UDP length beyond the packet", [](RawFrame& f) { f.udp_length_off_by = 1; }, nowhere,
         unusable},
        {"a UDP length of seven", [](RawFrame& f) { f.udp_length_off_by = -19; }, nowhere,
         unusable},
        {"a UDP length that leaves some out",
         [](RawFrame& f) {
             f.udp_checksum = false;
             f.udp_length_off_by = -1;
         },
         malformed, unusable},
        {"to another port", [](RawFrame& f) { f.to_port = 9; }, nowhere, nowhere},
        {"to another address", [](RawFrame& f) { f.to = {10, 26, 4, 77}; }, nowhere, nowhere},
        {"to another card", [](RawFrame& f) { f.to_link = {2, 0, 0, 0, 0, 9}; }, nowhere, nowhere},
        {"from nowhere", [](RawFrame& f) { f.from = {0, 0, 0, 0}; }, nowhere, unusable},
        {"from loopback", [](RawFrame& f) { f.from = {127, 0, 0, 1}; }, nowhere, unusable},
        {"from a group", [](RawFrame& f) { f.from = {224, 0, 0, 9}; }, nowhere, unusable},
        {"from everybody", [](RawFrame& f) { f.from.fill(255); }, nowhere, unusable},
        {"from our own address", [](RawFrame& f) { f.from = f.to; }, nowhere, unusable},
        {"as if it were TCP", [](RawFrame& f) { f.protocol = 6; }, nowhere, nowhere},
        {"as if it were IPv6", [](RawFrame& f) { f.ethertype = ETH_P_IPV6; }, nowhere, nowhere},
        {"a version of IP that is none", [](RawFrame& f) { f.version = 5; }, nowhere, nowhere},
    };
}

}  // namespace damrak::testing
