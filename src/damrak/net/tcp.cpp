#include <damrak/net/tcp.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace damrak::net {

namespace {

std::unexpected<std::string> failure(std::string_view what) {
    return std::unexpected{fmt::format("{}: {}", what, std::strerror(errno))};
}

bool is_temporary(int error) { return error == EAGAIN || error == EINTR; }

}  // namespace

// Where the congestion control cannot be chosen, the system's own does: BBR, the default of some,
// spreads what is sent over time, which is of no use to orders of a few bytes.
void prepare_tcp(const Descriptor& socket) {
    constexpr std::string_view k_unpaced = "reno";
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket.number(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    // The system's own would find a peer gone without a word only after two hours.
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
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    if (::inet_pton(AF_INET, address.c_str(), &where.sin_addr) != 1)
        return std::unexpected{fmt::format("{} is no IPv4 address", address)};
    const std::string what = fmt::format("cannot listen on {}:{}", address, port);
    Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!socket.open()) return failure(what);
    const int on = 1;
    ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    prepare_tcp(socket);
    auto* const general = reinterpret_cast<sockaddr*>(&where);
    if (::bind(socket.number(), general, sizeof where) != 0 ||
        ::listen(socket.number(), SOMAXCONN) != 0)
        return failure(what);
    socklen_t length = sizeof where;
    if (::getsockname(socket.number(), general, &length) != 0) return failure(what);
    return Listening{.socket = std::move(socket), .port = ntohs(where.sin_port)};
}

Descriptor accept_tcp(const Descriptor& listening) {
    return Descriptor{
        ::accept4(listening.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
}

Peer peer_of(const Descriptor& socket) {
    sockaddr_in from{};
    socklen_t length = sizeof from;
    Peer peer;
    if (::getpeername(socket.number(), reinterpret_cast<sockaddr*>(&from), &length) != 0 ||
        from.sin_family != AF_INET)
        return peer;
    std::memcpy(peer.address.data(), &from.sin_addr, peer.address.size());
    peer.port = ntohs(from.sin_port);
    return peer;
}

std::expected<Descriptor, std::string> connect_tcp(const std::string& host, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
    if (error != 0)
        return std::unexpected{
            fmt::format("cannot find host '{}': {}", host, ::gai_strerror(error))};
    sockaddr_in where{};
    std::memcpy(&where, found->ai_addr, sizeof where);
    ::freeaddrinfo(found);
    where.sin_port = htons(port);
    Descriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!socket.open()) return failure("cannot make a socket");
    prepare_tcp(socket);
    if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0 &&
        errno != EINPROGRESS)
        return failure(fmt::format("cannot connect to {}:{}", host, port));
    return socket;
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

// By the C library's own calls, so that a library loaded before it may take their place and go past
// the kernel. In a program of several threads each costs two atomic operations more than the
// system's bare call, as threads may be cancelled there.
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

bool Poller::add(const Descriptor& descriptor, void* data) const {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.ptr = data;
    return ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor.number(), &event) == 0;
}

bool Poller::add(const Poller& other, void* data) const { return add(other.epoll_.number(), data); }

bool Poller::add(int descriptor, void* data) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = data;
    return ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event) == 0;
}

std::span<const epoll_event> Poller::wait(std::span<epoll_event> events, int timeout_ms) const {
    const int count =
        ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), timeout_ms);
    return events.first(count > 0 ? static_cast<std::size_t>(count) : 0);
}

}  // namespace damrak::net
