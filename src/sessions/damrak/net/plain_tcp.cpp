#include <damrak/net/plain_tcp.hpp>

#include <cerrno>
#include <utility>

#include <sys/socket.h>

namespace damrak::net {
namespace {

bool is_temporary(int error) { return error == EAGAIN || error == EINTR; }

}  // namespace

std::expected<std::uint16_t, std::string> PlainTcp::listen(const std::string& address,
                                                           std::uint16_t port) {
    auto listening = listen_tcp(address, port);
    if (!listening) return std::unexpected{std::move(listening.error())};
    listening_ = std::move(listening->socket);
    return listening->port;
}

Moved PlainTcp::receive(const Socket& socket, std::span<std::byte> into) {
    const ssize_t got = ::recv(socket.number(), into.data(), into.size(), 0);
    if (got > 0) return {.bytes = static_cast<std::size_t>(got)};
    return {.closed = got == 0 || !is_temporary(errno)};
}

Moved PlainTcp::send(const Socket& socket, std::span<const std::byte> bytes) {
    const ssize_t sent = ::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) return {.bytes = static_cast<std::size_t>(sent)};
    return {.closed = !is_temporary(errno)};
}

}  // namespace damrak::net
