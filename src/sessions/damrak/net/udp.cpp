#include <damrak/net/udp.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <damrak/net/address.hpp>

namespace damrak::net {

namespace {

constexpr int k_receive_buffer_bytes = 1 << 20;

std::unexpected<std::string> failure(const MulticastGroup& group, std::string_view what) {
    return std::unexpected{
        fmt::format("{} {}:{}: {}", what, group.address, group.port, std::strerror(errno))};
}

std::expected<sockaddr_in, std::string> address_of(const std::string& text, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (::inet_pton(AF_INET, text.c_str(), &address.sin_addr) != 1)
        return std::unexpected{fmt::format("{} is not an IPv4 address", text)};
    return address;
}

std::expected<sockaddr_in, std::string> group_address(const MulticastGroup& group) {
    auto address = address_of(group.address, group.port);
    if (address && !IN_MULTICAST(ntohl(address->sin_addr.s_addr)))
        return std::unexpected{fmt::format("{} is not a multicast group", group.address)};
    return address;
}

template <class T>
bool set(const Descriptor& socket, int level, int option, const T& value) {
    return ::setsockopt(socket.number(), level, option, &value, sizeof value) == 0;
}

Descriptor udp_socket() {
    return Descriptor{::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
}

bool send_datagram(const Descriptor& socket, std::span<const std::byte> datagram) {
    return ::send(socket.number(), datagram.data(), datagram.size(), MSG_DONTWAIT) ==
           static_cast<ssize_t>(datagram.size());
}

std::span<const std::byte> next_datagram(const Descriptor& socket, std::span<std::byte> memory) {
    const ssize_t got = ::recv(socket.number(), memory.data(), memory.size(), 0);
    return memory.first(got > 0 ? static_cast<std::size_t>(got) : 0);
}

// A port that nobody listens on at the moment; zero if there is none.
std::uint16_t free_port(in_addr interface) {
    const Descriptor probe = udp_socket();
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr = interface;
    socklen_t length = sizeof where;
    auto* const general = reinterpret_cast<sockaddr*>(&where);
    if (::bind(probe.number(), general, sizeof where) != 0 ||
        ::getsockname(probe.number(), general, &length) != 0)
        return 0;
    return ntohs(where.sin_port);
}

}  // namespace

std::expected<MulticastSender, std::string> MulticastSender::open(const MulticastGroup& group) {
    auto to = group_address(group);
    if (!to) return std::unexpected{to.error()};
    const auto interface = address_of(group.interface, 0);
    if (!interface) return std::unexpected{interface.error()};
    if (group.port == 0) to->sin_port = htons(free_port(interface->sin_addr));
    MulticastSender sender;
    sender.socket_ = udp_socket();
    const Descriptor& socket = sender.socket_;
    const int on = 1;
    if (!socket.open() || !set(socket, IPPROTO_IP, IP_MULTICAST_IF, interface->sin_addr) ||
        !set(socket, IPPROTO_IP, IP_MULTICAST_TTL, group.time_to_live) ||
        !set(socket, IPPROTO_IP, IP_MULTICAST_LOOP, on) ||
        ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&*to), sizeof *to) != 0)
        return failure(group, "cannot send to");
    sender.port_ = ntohs(to->sin_port);
    return sender;
}

bool MulticastSender::send(std::span<const std::byte> datagram) const {
    return send_datagram(socket_, datagram);
}

bool MulticastSender::send_cut(std::span<const std::byte> datagrams, std::uint16_t size) const {
    iovec bytes{.iov_base = const_cast<std::byte*>(datagrams.data()),  // only read
                .iov_len = datagrams.size()};
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof size)> control{};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const cut = CMSG_FIRSTHDR(&message);
    cut->cmsg_level = SOL_UDP;
    cut->cmsg_type = UDP_SEGMENT;
    cut->cmsg_len = CMSG_LEN(sizeof size);
    std::memcpy(CMSG_DATA(cut), &size, sizeof size);
    return ::sendmsg(socket_.number(), &message, MSG_DONTWAIT) ==
           static_cast<ssize_t>(datagrams.size());
}

std::expected<MulticastReceiver, std::string> MulticastReceiver::join(const MulticastGroup& group) {
    const auto from = address_of(group.address, group.port);
    if (!from) return std::unexpected{from.error()};
    const auto interface = address_of(group.interface, 0);
    if (!interface) return std::unexpected{interface.error()};
    MulticastReceiver receiver;
    receiver.socket_ = udp_socket();
    const Descriptor& socket = receiver.socket_;
    const bool is_group = IN_MULTICAST(ntohl(from->sin_addr.s_addr));
    const int shared = is_group;
    const ip_mreq membership{.imr_multiaddr = from->sin_addr, .imr_interface = interface->sin_addr};
    if (!socket.open() || !set(socket, SOL_SOCKET, SO_REUSEADDR, shared) ||
        !set(socket, SOL_SOCKET, SO_RCVBUF, k_receive_buffer_bytes) ||
        ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&*from), sizeof *from) != 0 ||
        (is_group && !set(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, membership)))
        return failure(group, "cannot listen to");
    return receiver;
}

std::span<const std::byte> MulticastReceiver::receive(std::span<std::byte> memory) const {
    return next_datagram(socket_, memory);
}

std::expected<UdpPeer, std::string> UdpPeer::open(const std::string& host, std::uint16_t port) {
    const auto to = resolve(host, port);
    if (!to) return std::unexpected{to.error()};
    UdpPeer peer;
    peer.socket_ = Descriptor{::socket(to->family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!peer.socket_.open() || !set(peer.socket_, SOL_SOCKET, SO_RCVBUF, k_receive_buffer_bytes) ||
        ::connect(peer.socket_.number(), to->data(), to->size()) != 0)
        return std::unexpected{
            fmt::format("cannot send to {}: {}", to->text(), std::strerror(errno))};
    return peer;
}

bool UdpPeer::send(std::span<const std::byte> datagram) const {
    return send_datagram(socket_, datagram);
}

std::span<const std::byte> UdpPeer::receive(std::span<std::byte> memory) const {
    return next_datagram(socket_, memory);
}

}  // namespace damrak::net
