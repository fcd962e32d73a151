// The gateway for orders in UDP datagrams: joins a datagram path, the packet protocol and the
// exchange. An address and port identify a sender, which is a participant of its own from its first
// datagram on. One of the gateways of an exchange (gateway/gateway.hpp), on their thread: each turn
// receives a quota of datagrams, serves each sender its share, and sends all replies in one batch.
//
// `Path` moves datagrams (net/datagram_path.hpp), `Clock` has now_ns(), `Exchange` is that of
// BinaryGateway. A datagram costs a look-up, its decoding and its commands: no allocation, no lock,
// and one copy, into the journal. A sender's mistakes are counted and reported, and affect only
// that sender. docs/protocols/packet.md has every rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/base/seqlock.hpp>
#include <damrak/base/token_bucket.hpp>
#include <damrak/budget/row.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/exchange_side.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/gateway/health.hpp>
#include <damrak/gateway/notices.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/gateway/udp/detail/queues.hpp>
#include <damrak/gateway/udp/detail/report.hpp>
#include <damrak/gateway/udp/detail/settings.hpp>
#include <damrak/gateway/udp/udp_clients.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/net/interface_watch.hpp>
#include <damrak/session/activity_list.hpp>
#include <damrak/telemetry/probe.hpp>
#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/encode.hpp>

namespace damrak::gateway::udp {

template <class Path, class Clock, class Exchange>
class UdpGateway {
  public:
    static constexpr GatewayNumber k_gateway = k_udp_gateway;
    static constexpr std::string_view k_name = "udp";
    using State = UdpClients;
    /// What a gateway is made of.
    struct Setup {
        UdpGatewayConfig config{};
        /// Called by listen().
        std::function<std::expected<Path, std::string>()> open_path{};
        Clock clock;
        bool open = true;
        OnNotice on_notice{};     ///< of troubles
        std::string interface{};  ///< network interface, if it has one of its own
    };

    UdpGateway(Setup setup, const House& house);
    UdpGateway(const UdpGateway&) = delete;
    UdpGateway& operator=(const UdpGateway&) = delete;

    [[nodiscard]] UdpClients& clients() { return clients_; }
    /// The path of all datagrams from now on.
    void open(Path path) { path_.emplace(std::move(path)); }

    // Interface of a gateway, see gateway/gateway.hpp.
    void attach(Exchange& exchange);
    [[nodiscard]] std::expected<void, std::string> listen();
    [[nodiscard]] int wake_source() const { return path_->descriptor(); }
    [[nodiscard]] State& state() { return clients_; }
    template <class F>
    static void each_participant(const State& known, F&& f) {
        for (std::uint32_t i = 1; i <= known.highest_source(); ++i)
            if (known.source(i).session) f(known.source(i).participant);
    }
    [[nodiscard]] const Path& path() const { return *path_; }
    [[nodiscard]] std::uint16_t port() const { return path_ ? path_->port() : std::uint16_t{0}; }

    [[nodiscard]] bool busy() const { return more_ || !waiting_.empty() || !replies_.empty(); }
    [[nodiscard]] bool is_due(Timestamp now) const { return busy() || now >= timers_due_; }
    std::size_t poll(int wait_ms);
    [[nodiscard]] Timestamp time() const { return time_; }
    void flush();
    /// Sends what it can. Senders are not notified: they have no connection.
    void close();
    [[nodiscard]] bool stopped() const { return stopped_; }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void on_command_end(const Origin& origin);

    [[nodiscard]] const UdpCounters& counters() const { return counters_; }
    /// The counters at the end of a recent turn; any thread.
    [[nodiscard]] UdpCounters published() const { return published_.load(); }
    [[nodiscard]] net::PathCounters published_path() const { return published_path_.load(); }

    // For the operator; any thread, but one for the troubles.
    [[nodiscard]] UdpStatus status() const {
        return {.gateway = published(), .path = published_path(), .interface = &interface_};
    }
    [[nodiscard]] std::string metrics() const { return udp_metrics(status()); }
    [[nodiscard]] Health health() const { return udp_health(status()); }
    static void add_usages(const UdpGateway* gateway, const Settings& /*settings*/, Usages& all) {
        all.push_back(Usage::of_row("udp_sources", gateway == nullptr
                                                       ? budget::Row::Figures{}
                                                       : gateway->senders_.figures()));
    }
    void look_for_troubles(std::int64_t now_ns) { troubles_.look(status(), now_ns); }
    void tell_totals() const { troubles_.tell_all(status()); }
    void describe(const Settings& settings, std::vector<std::string>& lines) const
        requires requires(const Path& path) { path.warning(); }
    {
        describe_udp(path().describe(), path().warning(), settings, lines);
    }

  private:
    using Order = wire::packet::Order;
    using Format = wire::packet::Format;

    /// The gateway's own data of a sender, at the index of its UdpSource.
    struct Source : session::ActivityList::Node {
        net::Endpoint endpoint;
        std::uint32_t index = 0;
        std::uint32_t pending = 0;  ///< commands whose end was not reported yet
        std::uint32_t taken = 0;    ///< orders served in turn `turn`
        std::uint64_t turn = 0;
        std::uint32_t replies = 0;  ///< number of the last extended reply
        std::uint32_t unsent = 0;   ///< replies that wait
        std::uint32_t stray = 0;    ///< the last number far from its count
        std::uint32_t strays = 0;   ///< such numbers in a row, each one more than the last
        bool in_session = false;    ///< opened in the journal
        bool waits = false;         ///< has postponed orders
        bool anonymous = false;     ///< no identity: a participant of its own
        budget::Row::Place place;
        TokenBucket bucket{0, 0};
        detail::Postponed::List postponed;
    };
    /// One side of a trade, until the other one is reported.
    struct Resting {
        UdpOrder order;
        bool ours = false;
    };

    /// Datagrams per turn; also the most that a path receives at once.
    static constexpr std::size_t k_datagrams_a_turn = 64;
    /// A sender's orders per turn before the other senders are served.
    static constexpr std::uint32_t k_share = 64;
    /// Datagrams per turn while orders are postponed: no more than a turn can serve.
    static constexpr std::size_t k_datagrams_behind = 16;
    /// Postponed orders served per turn, round robin, after every sender has had its share.
    static constexpr std::uint32_t k_round = 32;
    static constexpr std::size_t k_orders_a_turn = 1'024;
    /// A number further ahead than this cannot be the next one.
    static constexpr std::uint32_t k_farthest = 1U << 20U;
    /// After this many consecutive numbers far from a sender's count, they become its count.
    static constexpr std::uint32_t k_strays = 16;
    /// Senders checked in search of a place that can be freed.
    static constexpr int k_looks = 32;
    static constexpr std::int64_t k_idle_ns = 1'000'000'000;
    /// A command gives at most half as many events.
    static constexpr std::size_t k_free_replies = 8'192;
    static constexpr std::int64_t k_timers_ns = 10'000'000;

    // detail/udp_gateway.hpp: senders and their turns
    void take(const net::Datagram& datagram);
    [[nodiscard]] Source* admit(const net::Datagram& datagram, const wire::packet::Scan& scan);
    [[nodiscard]] Identities::Answer authenticate(const net::Endpoint& sender,
                                                  const wire::packet::Scan& scan) const;
    void activate(std::uint32_t index, const net::Endpoint& endpoint, budget::Row::Place place);
    [[nodiscard]] budget::Who who(const net::Endpoint& endpoint, ParticipantId identity) const {
        return {.identity = identity, .host = net::ClientAddress::of(endpoint)};
    }
    void arrive(Source& source, const Order& order, Format format, wire::packet::Fault fault);
    void arrive_far_off(Source& source, const Order& order, Format format,
                        wire::packet::Refusal refusal);
    [[nodiscard]] bool begins_anew(Source& source, const Order& order, Format format);
    void begin_behind(Source& source, std::uint32_t sequence, Format format);
    void postpone(Source& source, const Order& order, Format format);
    void refuse_for_now(Source& source, const Order& order, Format format);
    void serve_waiting(std::uint32_t share);
    void begin(Source& source, const wire::packet::Scan& scan);
    [[nodiscard]] bool ready() const {
        return !stopped_ && replies_.room() >= k_free_replies && exchange_->ready();
    }
    [[nodiscard]] UdpNote opening_note(const Source& source, UdpRequest request) const;
    void note_trouble(UdpTrouble trouble, SessionId session, std::uint8_t reason = 0);

    // detail/places.hpp: places for senders
    void keep_time();
    [[nodiscard]] bool end(Source& source);
    [[nodiscard]] budget::Row::Place take_place(const budget::Who& who);
    [[nodiscard]] bool make_place(session::ActivityList& among);
    [[nodiscard]] bool make_place_of(net::ClientAddress host);
    [[nodiscard]] std::uint32_t maximum_anonymous() const;
    [[nodiscard]] session::ActivityList& list_of(const Source& source) {
        return source.anonymous ? anonymous_activity_ : activity_;
    }
    void publish();

    // detail/requests.hpp: orders to commands; false: the order must wait, unchanged
    [[nodiscard]] bool serve(Source& source, const Order& order, Format format);
    [[nodiscard]] bool handle(Source& source, const Order& order, Format format);
    [[nodiscard]] bool enter(Source& source, const Order& order, Format format);
    [[nodiscard]] bool change(Source& source, const Order& order, Format format);
    void open_session(Source& source);
    void submit(Source& source, const Command& command, const UdpNote& note,
                std::uint32_t sequence);
    void refuse(Source& source, const Order& order, Format format, std::uint8_t reason);
    void tell_refusal(Source& source, const Order& order, Format format, std::uint8_t reason);

    // detail/answers.hpp: events to replies
    void tell_trade(const Event& event, const UdpOrder* incoming, const CommandStamp& stamp);
    void tell_public_trade(const UdpOrder* bid, const UdpOrder* ask, const Event& event);
    void tell_execution(const UdpOrder& order, const Event& event, const CommandStamp& stamp);
    void tell_change(const UdpOrder& order, const Event& event, const Origin& origin,
                     const CommandStamp& stamp);
    void tell(std::uint32_t source, const wire::packet::Reply& reply);
    void tell(std::uint32_t source, const wire::packet::Trade& trade);
    [[nodiscard]] bool send_front();
    [[nodiscard]] net::Endpoint end_for_trades(const Source& source) const;

    UdpGatewayConfig config_;
    Participants* participants_;
    telemetry::Probe* probe_;
    Clock clock_;
    std::function<std::expected<Path, std::string>()> open_path_;
    Exchange* exchange_ = nullptr;
    std::optional<Path> path_;
    UdpClients clients_;
    budget::Row senders_;
    std::unique_ptr<Source[]> live_;
    session::ActivityList activity_;            ///< of identified senders
    session::ActivityList anonymous_activity_;  ///< of all others
    detail::Postponed postponed_;
    std::vector<Source*> waiting_;  ///< with postponed orders
    std::vector<Source*> serving_;
    detail::UdpReplies replies_;
    Event resting_event_{};  ///< the first event of a trade, until the second comes
    Resting resting_;
    telemetry::Unwritten unwritten_;
    UdpCounters counters_;
    Seqlock<UdpCounters> published_;
    Seqlock<net::PathCounters> published_path_;
    net::InterfaceWatch interface_;
    UdpTroubles troubles_;
    std::uint64_t turn_ = 0;
    std::size_t orders_ = 0;      ///< served in this turn
    std::size_t sent_bytes_ = 0;  ///< sent in this turn
    net::Endpoint sender_{};      ///< of the current datagram
    Timestamp time_{};            ///< read from the clock once per batch of datagrams
    Timestamp timers_due_{};
    bool looked_ = false;  ///< the clock was read in this turn
    bool more_ = false;    ///< datagrams are waiting
    bool unpublished_ = false;
    bool stopped_ = false;
};

}  // namespace damrak::gateway::udp

#include <damrak/gateway/udp/detail/answers.hpp>
#include <damrak/gateway/udp/detail/places.hpp>
#include <damrak/gateway/udp/detail/requests.hpp>
#include <damrak/gateway/udp/detail/udp_gateway.hpp>
