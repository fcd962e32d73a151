// The socket of a feed follower: connects where the follower wants, and moves bytes between the
// two. Never waits; one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>

#include <damrak/client/itch/detail/connection_rules.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/net/address.hpp>
#include <damrak/net/plain_tcp.hpp>

namespace damrak::client {

/// Address of a server.
struct FeedAddress {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;

    [[nodiscard]] std::string text() const { return net::host_and_port(host, port); }
};

}  // namespace damrak::client

namespace damrak::client::detail {

class SoupLink {
  public:
    SoupLink(FeedAddress feed, FeedAddress snapshots)
        : feed_(std::move(feed)), snapshots_(std::move(snapshots)), input_(k_input_bytes) {}

    /// Returns whether bytes moved, as there may be more at once.
    template <class Follower>
    bool turn(Follower& follower, Timestamp now) {
        if (!socket_.open() && !begin(follower, now)) return false;
        if (!up_ && !finish(follower, now)) return false;
        send(follower);
        const bool moved = !follower.wants_close() && read(follower, now);
        if (socket_.open() && follower.wants_close()) lose(follower, {}, now);
        return moved;
    }
    /// What to poll for; a negative descriptor: nothing.
    [[nodiscard]] pollfd waits_for(bool has_unsent) const {
        const bool writes = !up_ || has_unsent;
        return {.fd = socket_.number(),
                .events = static_cast<short>(POLLIN | (writes ? POLLOUT : 0)),
                .revents = 0};
    }
    /// How long to poll: at most `timeout_ms`, and at most until the deadline. The deadline does
    /// not count while connecting.
    [[nodiscard]] int wait_ms(int timeout_ms, std::optional<Timestamp> deadline,
                              Timestamp now) const {
        if (!deadline) return timeout_ms;
        constexpr std::int64_t k_ms = 1'000'000;
        constexpr std::int64_t k_connecting_ms = 10;
        constexpr std::int64_t k_longest_ms = 3'600'000;
        const std::int64_t least = socket_.open() && !up_ ? k_connecting_ms : 0;
        const int left = static_cast<int>(
            std::clamp((deadline->value - now.value + k_ms - 1) / k_ms, least, k_longest_ms));
        return timeout_ms < 0 ? left : std::min(timeout_ms, left);
    }

  private:
    /// Nearly twice the longest packet.
    static constexpr std::size_t k_input_bytes = 1U << 17U;
    /// Reads per turn, so that other connections get their turn.
    static constexpr int k_most_reads = 16;

    template <class Follower>
    bool begin(Follower& follower, Timestamp now) {
        const auto gateway = follower.wants(now);
        if (!gateway) return false;
        to_ = *gateway == SoupGateway::feed ? &feed_ : &snapshots_;
        auto socket = tcp_.connect(to_->host, to_->port);
        if (!socket) {
            follower.on_lost(socket.error(), now);
            return false;
        }
        socket_ = *std::move(socket);
        up_ = false;
        begin_ = end_ = 0;
        return true;
    }
    template <class Follower>
    bool finish(Follower& follower, Timestamp now) {
        const auto there = tcp_.connected(socket_);
        if (!there) {
            lose(follower, fmt::format("cannot connect to {}: {}", to_->text(), there.error()),
                 now);
            return false;
        }
        if (!*there) return false;
        up_ = true;
        follower.on_connected(now);
        return true;
    }
    template <class Follower>
    void send(Follower& follower) {
        while (!follower.unsent().empty()) {
            const net::Moved moved = tcp_.send(socket_, follower.unsent());
            if (moved.bytes == 0) return;  // a broken connection is noticed by reading
            follower.sent(moved.bytes);
        }
    }
    template <class Follower>
    bool read(Follower& follower, Timestamp now) {
        for (int i = 0; i < k_most_reads; ++i) {
            const net::Moved moved = tcp_.receive(socket_, std::span{input_}.subspan(end_));
            end_ += moved.bytes;
            if (moved.bytes > 0) give(follower, now);
            if (follower.wants_close()) return true;
            if (moved.closed) {
                lose(follower, fmt::format("{} closed the connection", to_->text()), now);
                return false;
            }
            if (moved.bytes == 0) return i > 0;
        }
        return true;
    }
    template <class Follower>
    void give(Follower& follower, Timestamp now) {
        begin_ +=
            follower.on_bytes(std::span{input_}.subspan(begin_, end_ - begin_), now).consumed_bytes;
        // The rest is less than a packet.
        std::copy(input_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  input_.begin() + static_cast<std::ptrdiff_t>(end_), input_.begin());
        end_ -= begin_;
        begin_ = 0;
    }
    template <class Follower>
    void lose(Follower& follower, std::string_view why, Timestamp now) {
        socket_.reset();
        up_ = false;
        follower.on_lost(why, now);
    }

    FeedAddress feed_;
    FeedAddress snapshots_;
    const FeedAddress* to_ = nullptr;
    net::PlainTcp tcp_;
    net::Descriptor socket_;
    std::vector<std::byte> input_;
    std::size_t begin_ = 0;  ///< [begin, end) of the input is unhandled
    std::size_t end_ = 0;
    bool up_ = false;
};

}  // namespace damrak::client::detail
