// Non-blocking TCP over Linux sockets, and edge-triggered readiness. Moves bytes and knows no
// message. Set-up calls return a text that says what failed; one thread a socket.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <sys/epoll.h>

namespace damrak::net {

/// A descriptor that is closed with its owner.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(); }

    void reset();
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool open() const { return number_ >= 0; }

  private:
    int number_ = -1;
};

/// What a connection of orders wants: small segments go at once, unpaced, and a peer that is gone
/// is noticed. Accepted connections inherit it from the listening socket.
void prepare_tcp(const Descriptor& socket);

struct Listening {
    Descriptor socket;
    std::uint16_t port;  ///< the one that was taken, if zero was asked for
};
/// `address` is of IPv4 or IPv6, or a name; of a name's addresses the first of IPv4 is taken.
[[nodiscard]] std::expected<Listening, std::string> listen_tcp(const std::string& address,
                                                               std::uint16_t port);
/// Whether that could be done now, without doing it; or what is in the way.
[[nodiscard]] std::expected<void, std::string> can_listen(const std::string& address,
                                                          std::uint16_t port);

/// The next connection that waits, non-blocking; none: an unopened descriptor.
[[nodiscard]] Descriptor accept_tcp(const Descriptor& listening);

/// Begins to connect, without waiting for it.
[[nodiscard]] std::expected<Descriptor, std::string> connect_tcp(const std::string& host,
                                                                 std::uint16_t port);
/// Whether a connection that was begun is there; or why it will not be.
[[nodiscard]] std::expected<bool, std::string> connected(const Descriptor& socket);

/// Where a connection comes from: its port and IPv4 address, zeros if that cannot be told; the
/// address is zeros for a connection of IPv6.
struct Peer {
    std::array<std::uint8_t, 4> address{};
    std::uint16_t port = 0;
};
[[nodiscard]] Peer peer_of(const Descriptor& socket);

/// What became of a read or a write.
struct Moved {
    std::size_t bytes = 0;
    bool closed = false;  ///< by the peer, or broken: nothing more will come or go
    bool again = false;   ///< there may be more, though there was room; TLS alone
};
[[nodiscard]] Moved receive(const Descriptor& socket, std::span<std::byte> into);
[[nodiscard]] Moved send(const Descriptor& socket, std::span<const std::byte> bytes);

/// Tells which descriptors became readable or writable, each change once.
class Poller {
  public:
    [[nodiscard]] static std::expected<Poller, std::string> make();
    /// `data` comes back with what happens to it.
    [[nodiscard]] bool add(const Descriptor& descriptor, void* data) const;
    /// As long as that one has something to tell, this one says so.
    [[nodiscard]] bool add(const Poller& other, void* data) const;
    /// The same for a descriptor that somebody else reads from.
    [[nodiscard]] bool add(int descriptor, void* data) const;
    /// Waits for at most that long (zero: looks only; negative: for ever).
    [[nodiscard]] std::span<const epoll_event> wait(std::span<epoll_event> events,
                                                    int timeout_ms) const;

  private:
    Descriptor epoll_;
};

}  // namespace damrak::net
