// The FIX door without its sockets: who trades there, their sessions with what is kept of them, and
// the handling of orders. Requests become commands, events become reports; both in
// gateway/detail/fix_*.hpp. Market data comes from feed::MarketSnapshots. A client's session goes
// on from one connection to the next, and its reports are kept while it is away.
//
// A class template over the exchange behind it (ExchangeSide of gateway/exchange_side.hpp, with
// definition() and reported_position()) and over the store of a session's messages. Runs on the
// thread of the doors. No allocation for a message; a client costs its session and its store when
// it comes for the first time. Who makes the store waits for the disk, on a thread that may
// (FixRegistry); the Logon waits with it, and nobody else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/domain/attachment.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/fix_gateway/admin.hpp>
#include <damrak/fix_gateway/desk_config.hpp>
#include <damrak/fix_gateway/detail/attachment.hpp>
#include <damrak/fix_gateway/detail/fields.hpp>
#include <damrak/fix_gateway/detail/reports.hpp>
#include <damrak/fix_gateway/detail/request_kind.hpp>
#include <damrak/fix_gateway/detail/requests.hpp>
#include <damrak/fix_gateway/instruments.hpp>
#include <damrak/fix_gateway/market_data.hpp>
#include <damrak/fix_gateway/registry.hpp>
#include <damrak/fix_gateway/roster.hpp>
#include <damrak/fix_gateway/watermark.hpp>
#include <damrak/gateway/connection_slots.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/session/fix/directory.hpp>
#include <damrak/session/fix/session.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::gateway {

template <class Exchange, class Store>
class FixDesk {
  public:
    struct Client;
    using Message = wire::fix::Message;
    using Storing = FixStoring<Store>;

    FixDesk(FixDeskConfig config, const EngineConfig& engine, Participants& participants,
            Storing storing);
    ~FixDesk();
    FixDesk(const FixDesk&) = delete;
    FixDesk& operator=(const FixDesk&) = delete;

    /// Everybody who was here before, with what was kept. Before anything else.
    [[nodiscard]] std::expected<void, std::string> open(journal::FileSystem& files, Timestamp now);
    /// Who takes the commands. After a restart: once its state has been taken over.
    void attach(Exchange& exchange);
    /// Where clients can see the market; without it they are told that they cannot.
    void show(feed::MarketSnapshots& snapshots) { market_.emplace(snapshots); }

    /// Who counts and times the messages. Before the first one.
    void measure(telemetry::Probe& probe) { probe_ = &probe; }
    [[nodiscard]] telemetry::Probe* probe() { return probe_; }

    // For its owner, who has the connections:

    /// Whose connection begins with certain bytes. If nothing of it is set, more are needed.
    struct Admitted {
        Client* client = nullptr;  ///< it must leave() when the connection ends
        std::string_view why{};    ///< it is nobody's; what there is to say to it is in its output
        bool awaited = false;      ///< take_arrived() will tell, unless it gives up(place) before
        std::size_t place = 0;
    };
    [[nodiscard]] Admitted admit(std::span<const std::byte> bytes, session::OutputBuffer& out,
                                 ConnectionNumber connection, Timestamp now);
    /// Calls f(connection, client, why) for each whose session has begun to exist, or cannot.
    template <class F>
    void take_arrived(F&& f);
    void give_up(std::size_t place);
    /// Somebody waits for what the disk is needed for.
    [[nodiscard]] bool awaits_disk() const { return errands_ > 0; }
    /// Where another thread does that: some of it; how much.
    std::size_t work_aside() { return registry_ ? registry_->work() : 0; }
    /// A Logout to who has no session, with these first bytes of the connection.
    void say_farewell(std::span<const std::byte> bytes, session::OutputBuffer& out,
                      std::string_view text);
    /// Who they say they are, for people: "FIX.4.4:DAMRAK->CLIENT1 (MsgType A) ".
    [[nodiscard]] std::string describe_stranger(std::span<const std::byte> bytes);
    void connect(Client& client, session::OutputBuffer& out, ConnectionNumber connection,
                 Timestamp now);
    session::Received receive(Client& client, std::span<const std::byte> bytes, Timestamp now);
    void leave(Client& client, Timestamp now);
    /// Once a turn: heartbeats, timeouts, schedules.
    void on_time(Timestamp now);
    /// Once a turn: those who watch the market hear what is new.
    void tell_market(Timestamp now) {
        if (market_ && !market_->idle()) [[unlikely]]
            tell_watchers(now);
    }
    /// At the end of a turn: everything up to this record is with the sessions.
    void note_reported(std::uint64_t sequence) { watermark_->set(sequence); }
    /// Calls `f` for each connection that has something to send, or is to be closed, since the last
    /// call.
    template <class F>
    void take_touched(F&& f);
    /// Nothing is taken any more.
    [[nodiscard]] bool stopped() const { return stopped_; }

    // Of a listener:
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void on_command_end(const Origin& origin);

    // Of a restart, between open() and attach(), in the order of the journal:

    /// What is behind this record is to be made up for.
    [[nodiscard]] std::uint64_t reported_position() const { return watermark_->found(); }
    /// Instruments as they are now.
    void note_instrument(const InstrumentDefinition& definition) { instruments_.note(definition); }
    /// Behind on_fix_event() of its events.
    void note_record(const journal::Record& record);
    /// Keeps the report of an event that has none yet.
    void report_missing(const Event& event, const Origin& origin, const CommandStamp& stamp,
                        const gateway::FixOrders::Applied& applied);
    [[nodiscard]] std::uint64_t missing_reported() const { return missing_reported_; }

    [[nodiscard]] gateway::FixOrders& orders() { return orders_; }
    [[nodiscard]] std::size_t clients() const { return known_.size(); }
    /// For another thread to ask; administer() answers, now and then.
    [[nodiscard]] FixAdmin& admin() { return admin_; }
    void administer(Timestamp now);

  private:
    friend struct Client;
    using Reply = session::fix::Reply;
    using Settings = session::fix::SessionSettings;
    using Applied = gateway::FixOrders::Applied;
    using Refusal = detail::Refusal;

    /// A client that asks for more at once would hold up the others.
    static constexpr std::uint32_t k_most_reports = 1'000;
    static constexpr std::uint32_t k_most_looked_at = 65'536;
    /// In one turn.
    static constexpr std::uint32_t k_most_forgotten = 2;

    // detail/fix_desk_clients.hpp
    [[nodiscard]] std::optional<Settings> settings_for(const session::fix::SessionName& name) const;
    using Errand = FixErrand<Store>;
    using SharedSettings = std::shared_ptr<const Settings>;
    [[nodiscard]] std::expected<void, std::string> open_known(const FixRoster& roster);
    Client& add_client(SharedSettings settings, std::unique_ptr<Store> store, std::uint32_t number,
                       ParticipantId participant);
    [[nodiscard]] ParticipantId identified(const Settings& settings) const;
    [[nodiscard]] Client* client_at(std::uint32_t number) {
        return number - 1U < clients_.size() ? clients_[number - 1U].get() : nullptr;
    }
    void touch(Client& client);
    void open_session(Client& client);
    void close_session(Client& client);
    /// The orders of its participant; one with copies has none that depend on it.
    [[nodiscard]] bool cancels_at_end(const Client& client) const {
        return config_.cancel_on_disconnect && !client.settings.drop_copy;
    }

    // detail/fix_desk_copies.hpp
    void add_copied();
    void copy(const Event& event, const CommandStamp& stamp, const Applied& applied);

    // detail/fix_desk_arrivals.hpp
    void note_sharing(ParticipantId participant);
    [[nodiscard]] bool is_named(const session::fix::SessionName& name) const;
    [[nodiscard]] std::string_view obstacle_to_arrival(const Settings& settings,
                                                       std::span<const std::byte> bytes,
                                                       session::OutputBuffer& out);
    [[nodiscard]] bool knows_password(const Settings& settings, std::span<const std::byte> bytes);
    [[nodiscard]] bool begin_arrival(std::size_t place);
    void hand_over(Errand errand);
    void on_done(Errand& errand);
    [[nodiscard]] bool may_be_forgotten(const Client& client) const;
    [[nodiscard]] bool make_room();
    void forget(Client& client, bool by_administrator = false);
    [[nodiscard]] bool is_old(Client& client);

    // detail/fix_desk_admin.hpp
    [[nodiscard]] FixSessionState state_of(const Client& client) const;
    [[nodiscard]] bool administer_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] bool change_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] bool add_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] bool remove_one(const FixAdminRequest& request, FixAdminAnswer& answer);
    [[nodiscard]] std::size_t place_of(const session::fix::SessionName& name) const;
    [[nodiscard]] Client* client_named(const session::fix::SessionName& name) const;
    void cancel_orders_of(Client& client);
    [[nodiscard]] std::string obstacle_to(const FixAdminRequest& request,
                                          const Client& client) const;

    // detail/fix_desk_requests.hpp
    [[nodiscard]] bool is_under_way(const Client& client, const Message& message) const;
    [[nodiscard]] bool is_taken(const Client& client, const Message& message,
                                std::string_view name) const {
        return orders_.is_taken(client.participant, name) ||
               (client.shares_participant && is_under_way(client, message));
    }
    [[nodiscard]] Reply on_request(Client& client, const Message& message);
    [[nodiscard]] Reply new_order(Client& client, const Message& message);
    [[nodiscard]] Reply change_order(Client& client, const Message& message, char request);
    [[nodiscard]] Reply order_status(Client& client, const Message& message);
    [[nodiscard]] detail::Asked<void> check_target(const Message& message,
                                                   const gateway::FixOrder& order,
                                                   char request) const;
    [[nodiscard]] const gateway::FixOrder* target_of(const Client& client,
                                                     const Message& message) const;
    [[nodiscard]] detail::FixText not_supported(const Client& client, wire::fix::Tag tag) const;
    [[nodiscard]] detail::Asked<void> submit(Client& client, const Command& command,
                                             const Message& message, gateway::FixNote note,
                                             const gateway::FixOrder* order, bool to_keep);
    /// Of a request that was submitted: where the answers come later the session waits for them,
    /// alone. A request whose number it counts as received is in the journal, and the next may be
    /// about the order that this one makes.
    [[nodiscard]] static Reply taken(const Client& client);
    void refuse_order(Client& client, const Message& message, const Refusal& refusal);
    void refuse_change(Client& client, const Message& message, char request,
                       const gateway::FixOrder* order, const Refusal& refusal);
    void tell_again(Client& client, const Message& message, std::string_view name);
    void refuse_status(Client& client, const Message& message, std::string_view text);
    void send_status(Client& client, const Message& message, const gateway::FixOrder& order,
                     const detail::Execution& asked);

    // detail/fix_desk_mass.hpp
    [[nodiscard]] Reply mass_status(Client& client, const Message& message);
    [[nodiscard]] Reply mass_cancel(Client& client, const Message& message);

    // detail/fix_desk_market.hpp
    struct MarketTeller;
    void tell_watchers(Timestamp now);
    [[nodiscard]] Reply market_data(Client& client, const Message& message);
    [[nodiscard]] Reply security_list(Client& client, const Message& message);
    [[nodiscard]] Reply security_definition(Client& client, const Message& message);

    // detail/fix_desk_reports.hpp
    [[nodiscard]] gateway::FixRequest asked_by(const Origin& origin);
    void report(const Event& event, const Origin& origin, const CommandStamp& stamp,
                const Applied& applied);
    void report_order(const Event& event, const CommandStamp& stamp, const Applied& applied);
    void report_rejected(const Event& event, const Origin& origin, const CommandStamp& stamp,
                         const Applied& applied);
    void report_mass_cancel(const Event& event, const Origin& origin, const CommandStamp& stamp,
                            const Applied& applied);
    [[nodiscard]] bool is_due(const Client& client, const session::fix::EventPosition& position);
    template <class Fill>
    void send(Client& client, std::string_view msg_type, std::string_view fields, Fill&& fill);
    template <class Fill>
    void send_routed(Client& client, std::string_view msg_type,
                     const session::fix::Routing& routing, Fill&& fill);
    template <class Fill>
    void reply_to(Client& client, const Message& request, std::string_view msg_type, Fill&& fill);
    void send_usual(Client& client, const wire::fix::MessageTemplate& usual,
                    const detail::ReportStyle& style, const detail::Execution& execution);
    [[nodiscard]] const detail::ReportTemplates* templates_for(const Client& client);
    void count(const CommandStamp& stamp) {
        index_ = stamp.sequence == sequence_ ? index_ + 1 : 0;
        sequence_ = stamp.sequence;
    }
    /// Of a message that reports no event; never given twice.
    [[nodiscard]] detail::FixedText<32> own_id(const detail::ReportStyle& style) {
        ++own_ids_;
        if (style.version == wire::fix::ApplVersion::fix40)
            return detail::FixedText<32>{"{}", now_.value + own_ids_};
        return detail::FixedText<32>{"{}.{}", now_.value, own_ids_};
    }

    FixDeskConfig config_;
    Participants* participants_;
    Storing storing_;
    Exchange* exchange_ = nullptr;
    std::optional<FixRegistry<Store>> registry_;
    std::optional<FixWatermark> watermark_;
    session::fix::SessionTools tools_;
    /// By version of the session and of its messages; those that somebody has logged on with.
    std::map<std::pair<wire::fix::BeginString, wire::fix::ApplVersion>, detail::ReportTemplates>
        templates_;
    std::optional<session::fix::SessionDirectory> directory_;
    std::vector<std::unique_ptr<Client>> clients_;  ///< by number; null: it was forgotten
    std::vector<Client*> known_;                    ///< the others
    std::vector<Client*> copied_to_;                ///< those of sessions with drop_copy
    /// What there is of a session of the directory.
    struct Place {
        Client* client = nullptr;     ///< null: it never came
        bool arriving = false;        ///< its store is being made
        ConnectionNumber awaiting{};  ///< that; zero: nobody
        std::string trouble{};        ///< why it was not made
    };
    std::deque<Place> places_;
    std::size_t unknown_ = 0;     ///< sessions that nobody named
    std::size_t errands_ = 0;     ///< under way
    FixRoster::Names added_;      ///< by an administrator
    FixRoster::Names removed_;    ///< by an administrator
    struct Administration {       ///< of the request that is done
        bool begun = false;       ///< what makes it last
        std::size_t errands = 0;  ///< of it that are under way
        std::string trouble{};
    };
    Administration administration_;
    std::string no_room_;  ///< for another unknown session
    gateway::FixOrders orders_;
    FixInstruments instruments_;
    std::optional<FixMarketData> market_;
    std::vector<Client*> touched_;
    FixAdmin admin_;
    telemetry::Probe* probe_ = nullptr;
    Timestamp now_{};
    std::int64_t own_ids_ = 0;
    // Of the event that is told.
    SequenceNumber sequence_{};
    std::uint32_t index_ = 0;
    std::uint64_t mass_cancelled_ = 0;  ///< orders, by the commands of one request
    std::uint64_t missing_reported_ = 0;
    bool making_up_ = false;
    bool stopped_ = false;
};

}  // namespace damrak::gateway

#include <damrak/fix_gateway/detail/desk_admin.hpp>
#include <damrak/fix_gateway/detail/desk_arrivals.hpp>
#include <damrak/fix_gateway/detail/desk_clients.hpp>
#include <damrak/fix_gateway/detail/desk_copies.hpp>
#include <damrak/fix_gateway/detail/desk_market.hpp>
#include <damrak/fix_gateway/detail/desk_mass.hpp>
#include <damrak/fix_gateway/detail/desk_reports.hpp>
#include <damrak/fix_gateway/detail/desk_requests.hpp>
