// A sender of datagrams to the UDP gateway, which puts orders together byte by byte, so that the
// system tests do not depend on the codec that the server is built with.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"

namespace damrak::testing {

/// Fields of the public packet, in their order.
struct PublicOrder {
    std::uint32_t sequence = 0;
    std::uint32_t id = 0;
    std::uint32_t price = 0;
    std::uint32_t quantity = 0;
    std::uint8_t type = 1;
    std::uint8_t side = 1;
};

[[nodiscard]] inline Bytes packed(const PublicOrder& order) {
    Bytes bytes;
    for (const std::uint32_t word : {order.sequence, order.id, order.price, order.quantity})
        put(bytes, word, 4);
    put(bytes, order.type, 1);
    put(bytes, order.side, 1);
    return bytes;
}
[[nodiscard]] inline Bytes words(const PublicOrder& order) {
    Bytes bytes;
    for (const std::uint32_t word : {order.sequence, order.id, order.price, order.quantity,
                                     std::uint32_t{order.type}, std::uint32_t{order.side}})
        for (const unsigned shift : {0U, 8U, 16U, 24U})
            bytes.push_back(static_cast<std::byte>(word >> shift));
    return bytes;
}
/// A datagram with one order in the extended format.
[[nodiscard]] inline Bytes extended(const PublicOrder& order) {
    Bytes bytes = from_hex("444d524b 01 01 0001");
    put(bytes, order.sequence, 4);
    put(bytes, 0, 4);
    put(bytes, 0, 8);
    put(bytes, 0, 8);
    put(bytes, order.id, 8);
    put(bytes, order.price, 4);
    put(bytes, order.quantity, 4);
    put(bytes, 0, 4);
    put(bytes, 0, 4);
    put(bytes, 0, 4);
    put(bytes, order.type, 1);
    put(bytes, order.side, 1);
    put(bytes, 0, 2);
    return bytes;
}
[[nodiscard]] inline Bytes public_trade(std::uint32_t bid, std::uint32_t ask, std::uint32_t price,
                                        std::uint32_t quantity) {
    Bytes bytes;
    for (const std::uint32_t word : {bid, ask, price, quantity}) put(bytes, word, 4);
    return bytes;
}

/// From a port of one address (zero: a free one), kept when the server goes and comes back.
class RawUdp {
  public:
    explicit RawUdp(std::uint16_t server, const char* server_address = "127.0.0.1",
                    const char* own_address = "127.0.0.1", std::uint16_t own_port = 0)
        : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        to_.sin_family = AF_INET;
        DAMRAK_ASSERT(::inet_pton(AF_INET, server_address, &to_.sin_addr) == 1);
        aim_at(server);
        read_patiently(socket_);
        const int room = 8 << 20;
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
        sockaddr_in own{};
        own.sin_family = AF_INET;
        own.sin_port = htons(own_port);
        DAMRAK_ASSERT(::inet_pton(AF_INET, own_address, &own.sin_addr) == 1);
        // A port that is asked for may be that of a test beside this one: until it has ended.
        DAMRAK_ASSERT(own_port == 0 ? bind_to(own) : eventually([&] { return bind_to(own); }));
    }
    RawUdp(const RawUdp&) = delete;
    RawUdp& operator=(const RawUdp&) = delete;
    ~RawUdp() { ::close(socket_); }

    void aim_at(std::uint16_t server) { to_.sin_port = htons(server); }
    void send(std::span<const std::byte> bytes) const {
        static_cast<void>(::sendto(socket_, bytes.data(), bytes.size(), 0,
                                   reinterpret_cast<const sockaddr*>(&to_), sizeof to_));
    }
    /// As datagrams of this size, which the kernel splits as late as possible (UDP GSO).
    void send_in_segments(std::span<const std::byte> bytes, int segment_bytes) const {
        const auto set = [this](int size) {
            DAMRAK_ASSERT(::setsockopt(socket_, SOL_UDP, UDP_SEGMENT, &size, sizeof size) == 0);
        };
        set(segment_bytes);
        send(bytes);
        set(0);
    }
    /// The next datagram; nothing when patience is over, or, if not patient, if none waits now.
    [[nodiscard]] std::optional<Bytes> receive(bool patient = true) const {
        std::array<std::byte, 2'048> memory{};
        const auto got = ::recv(socket_, memory.data(), memory.size(), patient ? 0 : MSG_DONTWAIT);
        if (got < 0) return {};
        return Bytes{memory.begin(), memory.begin() + got};
    }
    /// What comes while somebody asks for it again and again: datagrams may be lost.
    template <std::invocable Ask>
    [[nodiscard]] std::optional<Bytes> receive_asking(Ask&& ask) const {
        constexpr int k_looks_per_question = 50;
        std::optional<Bytes> next;
        static_cast<void>(eventually([&, looks = 0]() mutable {
            if (looks++ % k_looks_per_question == 0) ask();
            next = receive(false);
            return next.has_value();
        }));
        return next;
    }
    /// Receives this many datagrams.
    [[nodiscard]] std::vector<Bytes> receive_all(std::size_t count) const {
        std::vector<Bytes> all;
        while (all.size() < count) {
            auto next = receive();
            if (!next) break;
            all.push_back(*std::move(next));
        }
        return all;
    }
    [[nodiscard]] std::uint16_t port() const {
        sockaddr_in own{};
        socklen_t length = sizeof own;
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&own), &length);
        return ntohs(own.sin_port);
    }

  private:
    [[nodiscard]] bool bind_to(const sockaddr_in& own) const {
        return ::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0;
    }

    int socket_;
    sockaddr_in to_{};
};

}  // namespace damrak::testing
