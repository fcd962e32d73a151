// The feed as MoldUDP64: the same packets on two lines, each with a multicast group and unicast
// receivers. Requested messages are sent again from the file of the session. Polled by the feed
// server's thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/base/system_time.hpp>
#include <damrak/feed/earlier_sessions.hpp>
#include <damrak/feed/itch/itch_feed.hpp>
#include <damrak/feed/line_faults.hpp>
#include <damrak/feed/mold_sender.hpp>
#include <damrak/feed/retransmission.hpp>
#include <damrak/net/address.hpp>
#include <damrak/net/socket_path.hpp>
#include <damrak/net/udp.hpp>

namespace damrak::gateway::feeds {

inline constexpr const char* k_mold_group_a = "239.192.0.1";
inline constexpr const char* k_mold_group_b = "239.192.0.2";

class MoldLines {
  public:
    struct Config {
        std::uint16_t port = 0;  ///< of both groups; zero takes a free one
        /// Unicast receivers by line, A and B.
        std::array<std::vector<net::HostAndPort>, 2> unicast;
        feed::MoldConfig sender{};
        feed::LineFaults faults{};
    };
    [[nodiscard]] static std::expected<std::unique_ptr<MoldLines>, std::string> open(
        const Config& config, feed::ItchFeed& feed);

    [[nodiscard]] std::uint16_t port() const { return lines_.front().group.port(); }
    /// Sends the packets that are due. Returns whether more are due at once.
    [[nodiscard]] bool serve(Timestamp now);
    /// When the next packet is due if no message arrives.
    [[nodiscard]] Timestamp deadline() const;

  private:
    using Sender = feed::MoldSender<feed::FeedReader>;
    struct Line {
        // A datagram that the system refuses is lost, as if on the network.
        void send(std::span<const std::byte> packet) const {
            group.send(packet);
            for (const net::UdpPeer& receiver : unicast) receiver.send(packet);
        }

        net::MulticastSender group;
        std::vector<net::UdpPeer> unicast;
        std::optional<feed::FaultyLine> faults;
    };

    MoldLines(const Config& config, feed::ItchFeed& feed)
        : config_(config), feed_(&feed), found_(feed.session()) {
        if (found_ != nullptr) next_of_found_ = found_->messages() + 1;
    }
    void follow_sessions(Timestamp now);
    [[nodiscard]] bool send_due(Sender& sender, Timestamp now);

    Config config_;
    feed::ItchFeed* feed_;
    std::vector<Line> lines_;
    /// The session that existed before the first packet, and where to continue it.
    std::shared_ptr<const feed::FeedSession> found_;
    std::uint64_t next_of_found_ = 1;
    std::optional<feed::FeedSessionId> session_;
    std::optional<Sender> sender_;
    std::optional<Sender> ending_;  ///< sends the end of the previous session
};

/// Unicast answers to clients that missed packets.
class MoldRetransmission {
  public:
    [[nodiscard]] static std::expected<std::unique_ptr<MoldRetransmission>, std::string> open(
        const std::string& address, std::uint16_t port, feed::ItchFeed& feed,
        feed::EarlierSessions& earlier);

    [[nodiscard]] std::uint16_t port() const { return path_.port(); }
    [[nodiscard]] int descriptor() const { return path_.descriptor(); }
    /// Answers the requests that arrived. Returns whether there may be more at once.
    [[nodiscard]] bool serve(Timestamp now);
    [[nodiscard]] const feed::RetransmissionServer::Counters& counters() const {
        return server_.counters();
    }

  private:
    MoldRetransmission(net::SocketPath path, feed::ItchFeed& feed, feed::EarlierSessions& earlier)
        : path_(std::move(path)),
          feed_(&feed),
          earlier_(&earlier),
          server_(feed::RetransmissionConfig{}) {}
    [[nodiscard]] feed::EarlierSessions::Session session_of(
        const wire::moldudp::SessionName& name) const;

    net::SocketPath path_;
    feed::ItchFeed* feed_;
    feed::EarlierSessions* earlier_;
    feed::RetransmissionServer server_;
};

}  // namespace damrak::gateway::feeds
