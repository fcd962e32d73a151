#include "support/fix_send.hpp"

#include <array>
#include <cerrno>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

namespace damrak::bench {

SocketSend::SocketSend() {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    DAMRAK_ASSERT(listener >= 0 && ::bind(listener, generic, size) == 0 &&
                  ::listen(listener, 1) == 0 && ::getsockname(listener, generic, &size) == 0);
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    DAMRAK_ASSERT(socket_ >= 0 && ::connect(socket_, generic, size) == 0);
    const int one = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const int accepted = ::accept(listener, nullptr, nullptr);
    DAMRAK_ASSERT(accepted >= 0);
    ::close(listener);
    reader_ = std::thread{[accepted] {
        std::array<char, 1U << 16U> bytes{};
        while (::recv(accepted, bytes.data(), bytes.size(), 0) > 0) continue;
        ::close(accepted);
    }};
}

SocketSend::~SocketSend() {
    ::close(socket_);
    reader_.join();
}

void SocketSend::send(std::span<const char> message) const {
    while (!message.empty()) {
        const ssize_t sent = ::send(socket_, message.data(), message.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            DAMRAK_ASSERT(errno == EINTR || errno == EAGAIN);
            continue;
        }
        message = message.subspan(static_cast<std::size_t>(sent));
    }
}

}  // namespace damrak::bench
