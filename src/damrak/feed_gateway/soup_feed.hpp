// Subscribers of the feed over TCP, by SoupBinTCP: those who log in at a number of the session and
// get all messages from there on (ITCH), and those who get the market as it is and the number at
// which to join (GLIMPSE). Messages come from the file of the session, or from a snapshot that
// several share, as many as fit into the subscriber's buffer: one that is behind reads on from
// there and costs nobody memory.
//
// Owner of a TcpDoor; polled by the feed server's thread alone. A turn costs a read of the file a
// subscriber that has room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/feed/itch/itch_feed.hpp>
#include <damrak/gateway/over_tcp.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/session/soupbin/soup_server.hpp>

namespace damrak::gateway {

enum class SoupService : std::uint8_t { itch, glimpse };

class SoupFeed : public OverTcp<net::TcpNetwork, SoupFeed> {
    using Tcp = OverTcp<net::TcpNetwork, SoupFeed>;
    using Tcp::tcp_;

  public:
    SoupFeed(SoupService service, TcpDoorConfig config, feed::ItchFeed& feed)
        : Tcp(config, *this, net::TcpNetwork{}),
          service_(service),
          feed_(&feed),
          memory_(config.output_bytes) {}

    /// After each poll: gives each what there is and what it has room for, and sends it. Whether
    /// anybody got something: there may be more at once.
    [[nodiscard]] bool serve();

    // Of the owner of a TcpDoor.
    struct Client {
        std::optional<session::SoupServer> server;
        std::optional<feed::FeedReader> reader;
        std::shared_ptr<const feed::FeedSnapshot> snapshot;
        std::size_t snapshot_sent = 0;      ///< bytes of its messages
        std::uint64_t snapshot_ticket = 0;  ///< of the request for it
        feed::FeedSessionId session{};      ///< that it logged in to
    };
    using Connection = typename TcpDoor<net::TcpNetwork, SoupFeed>::Connection;
    void on_opened(Connection& connection) {
        connection.client->server.emplace(config_, *connection.output, tcp_.now());
    }
    void on_read(std::size_t /*bytes*/) {}
    [[nodiscard]] session::Received on_bytes(Connection& connection,
                                             std::span<const std::byte> bytes);
    /// Before the first session there is nothing to log in to: clients wait.
    [[nodiscard]] bool ready() const { return feed_->session() != nullptr; }
    [[nodiscard]] static bool may_end(const Connection& /*connection*/) { return true; }
    [[nodiscard]] std::optional<std::string_view> end_reason(const Connection& connection) const {
        return connection.client->server->end_reason();
    }
    void on_silent(Connection& /*connection*/) {}
    void on_ended(Connection& /*connection*/, std::string_view /*reason*/) {}

  private:
    [[nodiscard]] session::LoginAnswer log_in(Client& client,
                                              const wire::soupbin::LoginRequest& request);
    [[nodiscard]] session::LoginAnswer log_in_itch(Client& client, std::uint64_t sequence);
    [[nodiscard]] bool give(Connection& connection);
    [[nodiscard]] bool give_messages(Connection& connection);
    [[nodiscard]] bool give_snapshot(Connection& connection);

    SoupService service_;
    feed::ItchFeed* feed_;
    session::SoupServerConfig config_{};
    std::vector<std::byte> memory_;  ///< what is read for one subscriber
};

}  // namespace damrak::gateway
