#include <damrak/net/tcp.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <damrak/net/address.hpp>

namespace damrak::net {

namespace {

std::unexpected<std::string> failure(std::string_view what) {
    return std::unexpected{fmt::format("{}: {}", what, std::strerror(errno))};
}

bool is_temporary(int error) { return error == EAGAIN || error == EINTR; }

}  // namespace

// If the congestion control cannot be chosen, the system's default applies. BBR, the default of
// some systems, paces output, which is of no use to orders of a few bytes.
void prepare_tcp(const Descriptor& socket) {
    constexpr std::string_view k_unpaced = "reno";
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket.number(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    // By default the system would notice a silently lost peer only after two hours.
    const std::array<std::pair<int, int>, 3> patience{
        {{TCP_KEEPIDLE, 30}, {TCP_KEEPINTVL, 10}, {TCP_KEEPCNT, 3}}};
    for (const auto& [option, value] : patience)
        ::setsockopt(socket.number(), IPPROTO_TCP, option, &value, sizeof value);
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_CONGESTION, k_unpaced.data(),
                 static_cast<socklen_t>(k_unpaced.size()));
}

void Descriptor::reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
}

std::expected<Listening, std::string> listen_tcp(const std::string& address, std::uint16_t port) {
    const std::string what = fmt::format("cannot listen on {}", host_and_port(address, port));
    auto where = resolve(address, port);
    if (!where) return std::unexpected{fmt::format("{}: {}", what, where.error())};
    Descriptor socket{::socket(where->family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!socket.open()) return failure(what);
    const int on = 1;
    ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    prepare_tcp(socket);
    if (::bind(socket.number(), where->data(), where->size()) != 0 ||
        ::listen(socket.number(), SOMAXCONN) != 0 ||
        ::getsockname(socket.number(), where->data(), where->size_pointer()) != 0)
        return failure(what);
    return Listening{.socket = std::move(socket), .port = where->port()};
}

std::expected<void, std::string> can_listen(const std::string& address, std::uint16_t port) {
    const auto where = resolve(address, port);
    if (!where) return std::unexpected{where.error()};
    const Descriptor socket{::socket(where->family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
    const int on = 1;
    ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(socket.number(), where->data(), where->size()) == 0) return {};
    if (errno == EADDRNOTAVAIL)
        return std::unexpected{fmt::format("{} is not an address of this machine", where->host())};
    return std::unexpected{fmt::format("{}: {}", where->text(), std::strerror(errno))};
}

Descriptor accept_tcp(const Descriptor& listening) {
    return Descriptor{
        ::accept4(listening.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
}

Peer peer_of(const Descriptor& socket) {
    SocketAddress from;
    Peer peer;
    if (::getpeername(socket.number(), from.data(), from.size_pointer()) != 0) return peer;
    peer.port = from.port();
    if (from.is_ipv4()) {
        const auto& ipv4 = *reinterpret_cast<const sockaddr_in*>(from.data());
        std::memcpy(peer.address.data(), &ipv4.sin_addr, peer.address.size());
    } else if (const auto& ipv6 = *reinterpret_cast<const sockaddr_in6*>(from.data());
               IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr)) {
        std::memcpy(peer.address.data(), &ipv6.sin6_addr.s6_addr[12], peer.address.size());
    }
    return peer;
}

ClientAddress host_of(const Descriptor& socket) {
    SocketAddress from;
    if (::getpeername(socket.number(), from.data(), from.size_pointer()) != 0) return {};
    if (from.is_ipv4()) {
        std::array<std::uint8_t, 4> address{};
        const auto& ipv4 = *reinterpret_cast<const sockaddr_in*>(from.data());
        std::memcpy(address.data(), &ipv4.sin_addr, address.size());
        return ClientAddress::of(address);
    }
    std::array<std::uint8_t, 16> address{};
    const auto& ipv6 = *reinterpret_cast<const sockaddr_in6*>(from.data());
    std::memcpy(address.data(), &ipv6.sin6_addr, address.size());
    return ClientAddress::of(address);
}

// A name may have several addresses: if one fails at once, the next is tried.
std::expected<Descriptor, std::string> connect_tcp(const std::string& host, std::uint16_t port) {
    const auto found = resolve_all(host, port);
    if (!found) return std::unexpected{found.error()};
    for (const SocketAddress& where : *found) {
        Descriptor socket{::socket(where.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
        if (!socket.open()) return failure("cannot make a socket");
        prepare_tcp(socket);
        if (::connect(socket.number(), where.data(), where.size()) == 0 || errno == EINPROGRESS)
            return socket;
    }
    return failure(fmt::format("cannot connect to {}", host_and_port(host, port)));
}

std::expected<bool, std::string> connected(const Descriptor& socket) {
    pollfd waiting{.fd = socket.number(), .events = POLLOUT, .revents = 0};
    if (::poll(&waiting, 1, 0) != 1) return false;
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) return std::unexpected{std::string{std::strerror(error)}};
    return true;
}

// Calls the C library, so that a preloaded library may intercept the call and bypass the kernel. In
// a program of several threads this costs two atomic operations more than the bare system call, as
// it is a cancellation point.
Moved receive(const Descriptor& socket, std::span<std::byte> into) {
    const ssize_t got = ::recv(socket.number(), into.data(), into.size(), 0);
    if (got > 0) return {.bytes = static_cast<std::size_t>(got)};
    return {.closed = got == 0 || !is_temporary(errno)};
}

Moved send(const Descriptor& socket, std::span<const std::byte> bytes) {
    const ssize_t sent = ::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) return {.bytes = static_cast<std::size_t>(sent)};
    return {.closed = !is_temporary(errno)};
}

std::expected<Poller, std::string> Poller::make() {
    Poller poller;
    poller.epoll_ = Descriptor{::epoll_create1(EPOLL_CLOEXEC)};
    if (!poller.epoll_.open()) return failure("cannot watch sockets");
    return poller;
}

bool Poller::add(const Descriptor& descriptor, WatchHandle handle) const {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.u64 = std::bit_cast<std::uint64_t>(handle);
    return ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor.number(), &event) == 0;
}

bool Poller::add(int descriptor, WatchHandle handle) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = std::bit_cast<std::uint64_t>(handle);
    return ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

std::span<const epoll_event> Poller::wait(std::span<epoll_event> events, int timeout_ms) const {
    const int count =
        ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), timeout_ms);
    return events.first(count > 0 ? static_cast<std::size_t>(count) : 0);
}

}  // namespace damrak::net
