// Subscribers of the feed over TCP, by SoupBinTCP. ITCH subscribers log in at a message number of
// the session, or of an earlier one, and get all messages from there on. GLIMPSE subscribers get
// the current market and the number at which to join. Messages come from the file of the session,
// or from a shared snapshot, as many as fit into the subscriber's buffer; a slow subscriber reads
// on later and costs no memory.
//
// Owner of a TcpGateway; polled by the feed server's thread alone. A turn costs one read of the
// file per subscriber with room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/feed/earlier_sessions.hpp>
#include <damrak/feed/itch/itch_feed.hpp>
#include <damrak/gateway/ended_connections.hpp>
#include <damrak/gateway/feeds/detail/feed_status.hpp>
#include <damrak/gateway/over_tcp.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/session/soupbin/soup_server.hpp>

namespace damrak::gateway::feeds {

enum class SoupService : std::uint8_t { itch, glimpse };

class SoupFeed : public OverTcp<net::TcpNetwork, SoupFeed> {
    using Tcp = OverTcp<net::TcpNetwork, SoupFeed>;
    using Tcp::tcp_;

  public:
    SoupFeed(SoupService service, TcpGatewayConfig config, feed::ItchFeed& feed,
             feed::EarlierSessions& earlier, EndedConnections& ended)
        : Tcp(config, *this, net::TcpNetwork{}),
          service_(service),
          feed_(&feed),
          earlier_(&earlier),
          ended_(&ended),
          memory_(config.output_bytes) {}

    /// Call after each poll: sends each subscriber the messages that its buffer has room for.
    /// Returns whether anything was sent, as there may be more at once.
    [[nodiscard]] bool serve();
    [[nodiscard]] SoupService service() const { return service_; }
    void append_slow(std::vector<SlowSubscriber>& to);
    /// Which subscriber was ended last since the last call, and why, and how many before it; empty
    /// if none.
    [[nodiscard]] std::string take_ended();

    // Called by the TcpGateway:
    struct Client {
        std::optional<session::SoupServer> server;
        std::optional<feed::FeedReader> reader;
        std::shared_ptr<const feed::FeedSnapshot> snapshot;
        std::size_t snapshot_sent = 0;      ///< bytes of its messages
        std::uint64_t snapshot_ticket = 0;  ///< number of its snapshot request
        feed::FeedSessionId session{};      ///< the session of its login
        std::string_view refused{};         ///< why it may have no place
    };
    using Connection = typename TcpGateway<net::TcpNetwork, SoupFeed>::Connection;
    void on_opened(Connection& connection) {
        connection.client->server.emplace(config_, *connection.output, tcp_.now());
    }
    void on_read(std::size_t /*bytes*/) {}
    [[nodiscard]] session::Received on_bytes(Connection& connection,
                                             std::span<const std::byte> bytes);
    /// Before the first session clients must wait: there is nothing to log in to.
    [[nodiscard]] bool ready() const { return feed_->session() != nullptr; }
    [[nodiscard]] static bool may_end(const Connection& /*connection*/) { return true; }
    [[nodiscard]] std::optional<std::string_view> end_reason(const Connection& connection) const {
        const std::string_view refused = connection.client->refused;
        return refused.empty() ? connection.client->server->end_reason() : refused;
    }
    void on_silent(Connection& /*connection*/) {}
    void on_ended(Connection& connection, std::string_view reason);
    void on_no_room(std::string_view what);

  private:
    /// Nothing: the session is being opened.
    [[nodiscard]] std::optional<session::LoginAnswer> log_in(
        Connection& connection, const wire::soupbin::LoginRequest& request);
    [[nodiscard]] std::optional<feed::EarlierSessions::Session> session_of(std::string_view name);
    [[nodiscard]] static std::uint64_t messages_behind(const Client& client);
    [[nodiscard]] std::string_view name() const {
        return service_ == SoupService::glimpse ? "glimpse" : "itch";
    }
    void note_end(session::EndCause cause, std::string line);
    [[nodiscard]] bool give(Connection& connection);
    [[nodiscard]] bool give_messages(Connection& connection);
    [[nodiscard]] bool give_snapshot(Connection& connection);

    SoupService service_;
    feed::ItchFeed* feed_;
    feed::EarlierSessions* earlier_;
    EndedConnections* ended_;
    std::string last_ended_;
    std::uint64_t ended_before_it_ = 0;  ///< since take_ended()
    session::SoupServerConfig config_{};
    std::vector<std::byte> memory_;  ///< read buffer for one subscriber
};

}  // namespace damrak::gateway::feeds
