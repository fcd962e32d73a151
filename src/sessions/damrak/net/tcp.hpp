// Non-blocking TCP over Linux sockets, and edge-triggered readiness. Transfers bytes without regard
// to messages. Set-up calls return an error text; one thread per socket.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <sys/epoll.h>

#include <damrak/net/client_address.hpp>
#include <damrak/net/watch_handle.hpp>

namespace damrak::net {

/// A file descriptor that its owner closes.
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

/// Socket options for order traffic: small segments leave at once, unpaced, and a lost peer is
/// noticed. Accepted connections inherit them from the listening socket.
void prepare_tcp(const Descriptor& socket);

/// A listening socket and its port.
struct Listening {
    Descriptor socket;
    std::uint16_t port;  ///< the one that was assigned, if zero was requested
};
/// `address` is IPv4, IPv6, or a name; a name's first IPv4 address is used.
[[nodiscard]] std::expected<Listening, std::string> listen_tcp(const std::string& address,
                                                               std::uint16_t port);
/// Whether listen_tcp() would succeed now, without listening; else the reason.
[[nodiscard]] std::expected<void, std::string> can_listen(const std::string& address,
                                                          std::uint16_t port);

/// The next pending connection, non-blocking; an unopened descriptor if none.
[[nodiscard]] Descriptor accept_tcp(const Descriptor& listening);

/// Begins to connect, without waiting.
[[nodiscard]] std::expected<Descriptor, std::string> connect_tcp(const std::string& host,
                                                                 std::uint16_t port);
/// Whether a connection attempt has succeeded; or why it failed.
[[nodiscard]] std::expected<bool, std::string> connected(const Descriptor& socket);

/// The source of a connection: its port and IPv4 address, zeros if unknown; the address is zeros
/// for IPv6.
struct Peer {
    std::array<std::uint8_t, 4> address{};
    std::uint16_t port = 0;
};
[[nodiscard]] Peer peer_of(const Descriptor& socket);
/// The host at the other end of it.
[[nodiscard]] ClientAddress host_of(const Descriptor& socket);

/// Result of a read or a write.
struct Moved {
    std::size_t bytes = 0;
    bool closed = false;  ///< by the peer, or broken: nothing more can be read or written
    bool again = false;   ///< there may be more, though there was room; TLS only
};
[[nodiscard]] Moved receive(const Descriptor& socket, std::span<std::byte> into);
[[nodiscard]] Moved send(const Descriptor& socket, std::span<const std::byte> bytes);

/// Reports which descriptors became readable or writable, each change once.
class Poller {
  public:
    [[nodiscard]] static std::expected<Poller, std::string> make();
    /// wait() returns the events of the descriptor with `handle`: see handle_of().
    [[nodiscard]] bool add(const Descriptor& descriptor, WatchHandle handle) const;
    /// The same for a descriptor that someone else reads from.
    [[nodiscard]] bool add(int descriptor, WatchHandle handle) const;
    [[nodiscard]] static WatchHandle handle_of(const epoll_event& event) {
        return std::bit_cast<WatchHandle>(event.data.u64);
    }
    /// Waits for at most that long (zero: polls; negative: for ever).
    [[nodiscard]] std::span<const epoll_event> wait(std::span<epoll_event> events,
                                                    int timeout_ms) const;

    /// Readable as long as it has events.
    [[nodiscard]] int descriptor() const { return epoll_.number(); }

  private:
    Descriptor epoll_;
};

}  // namespace damrak::net
