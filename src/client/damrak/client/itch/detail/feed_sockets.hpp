// The datagram sockets of a MoldUDP64 receiver: a multicast group for each line, and one to the
// retransmission server. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <poll.h>

#include <damrak/client/itch/detail/soup_link.hpp>
#include <damrak/net/udp.hpp>
#include <damrak/wire/moldudp/messages.hpp>

namespace damrak::client {

class FeedSockets {
  public:
    [[nodiscard]] static std::expected<FeedSockets, std::string> open(
        std::span<const net::MulticastGroup> lines,
        const std::optional<FeedAddress>& retransmissions);

    /// Calls f(datagram) for waiting datagrams, line by line, up to a limit. Returns whether there
    /// were any.
    template <class F>
    bool receive(F&& f) {
        std::array<std::byte, 2'048> memory;
        bool any = false;
        for (int i = 0; i < k_most_datagrams; ++i) {
            bool more = false;
            const auto take = [&](const auto& socket) {
                const auto datagram = socket.receive(memory);
                if (datagram.empty()) return;
                f(datagram);
                more = true;
            };
            for (const auto& line : lines_) take(line);
            if (retransmissions_) take(*retransmissions_);
            if (!more) return any;
            any = true;
        }
        return any;
    }
    /// Sends a request; without a server it is dropped.
    void ask(const wire::moldudp::Request& request) const;
    /// Waits for a datagram, or for the other socket.
    void wait(pollfd other, int timeout_ms) const;

  private:
    /// Per line and call of receive().
    static constexpr int k_most_datagrams = 1'000;

    std::vector<net::MulticastReceiver> lines_;
    std::optional<net::UdpPeer> retransmissions_;
};

}  // namespace damrak::client
