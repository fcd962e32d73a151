// The FIX gateway without its sockets: joins the sessions, order entry, reports and market data.
// FIX calls what stands above its sessions an application.
//
// A class template over the exchange behind it (ExchangeSide of gateway/exchange_side.hpp, with
// definition() and reported_position()) and over the store of a session's messages. Runs on the
// thread of the gateways. No allocation for a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include <damrak/budget/row.hpp>
#include <damrak/gateway/fix/detail/order_entry.hpp>
#include <damrak/gateway/fix/detail/reporting.hpp>
#include <damrak/gateway/fix/market_requests.hpp>
#include <damrak/gateway/fix/session_table.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
class FixApplication {
  public:
    using Client = ConnectedClient<Exchange, Store>;
    using Sessions = FixSessionTable<Exchange, Store>;
    using Reports = FixReporting<Exchange, Store>;
    using Entry = FixOrderIntake<Exchange, Store>;
    using Market = FixMarketRequests<Exchange, Store>;
    using Storing = FixStoring<Store>;

    FixApplication(const FixApplicationConfig& config, const EngineConfig& engine,
                   Participants& participants, Storing storing)
        : folder_(config.folder),
          participants_(&participants),
          context_(*this, engine, config.isins),
          sessions_(config, context_, participants, std::move(storing)),
          reports_(context_, sessions_),
          entry_(context_, sessions_, reports_),
          market_(context_, sessions_, reports_) {
        context_.touched.reserve(4 * config.maximum_sessions);
        context_.linking.reserve(4 * config.maximum_sessions);
    }
    FixApplication(const FixApplication&) = delete;
    FixApplication& operator=(const FixApplication&) = delete;

    /// Everybody who was here before, with what was kept. Before anything else.
    [[nodiscard]] std::expected<void, std::string> open(journal::FileSystem& files, Timestamp now);
    /// Who takes the commands. After a restart: once its state has been taken over.
    void attach(Exchange& exchange);
    /// Where clients can see the market; without it they are refused.
    void show(feed::MarketSnapshots& snapshots) { market_.show(snapshots); }
    /// What executions cost from now on; reports say so.
    void set_fees(const Fees& fees) {
        context_.fees = fees.exist() ? std::optional{fees} : std::nullopt;
    }
    /// Who counts and times the messages. Before the first one.
    void measure(telemetry::Probe& probe) { context_.probe = &probe; }
    [[nodiscard]] telemetry::Probe* probe() { return context_.probe; }

    /// For the owner of the connections.
    [[nodiscard]] Sessions& sessions() { return sessions_; }
    [[nodiscard]] const Sessions& sessions() const { return sessions_; }
    /// Its parts, each called where a request or an event arrives.
    [[nodiscard]] Entry& entry() { return entry_; }
    [[nodiscard]] Market& market() { return market_; }
    [[nodiscard]] Reports& reports() { return reports_; }
    /// Of what clients watch of the market. Any thread.
    [[nodiscard]] budget::Row::Figures watched_places() const { return market_.places(); }
    /// The time of what the sessions receive from now on.
    void set_time(Timestamp now) { context_.now = now; }
    /// Calls `f` for each connection that has something to send, or is to be closed, since the last
    /// call.
    template <class F>
    void take_touched(F&& f);
    /// Once a turn: those who watch the market hear what is new.
    void tell_market(Timestamp now) { market_.tell_market(now); }
    /// At the end of a turn: everything up to this record is with the sessions.
    void note_reported(std::uint64_t sequence) { reports_.note_reported(sequence); }
    /// Nothing is taken any more.
    [[nodiscard]] bool stopped() const { return context_.stopped; }

    /// A command of a FIX session has ended.
    void on_command_end(const Origin& origin);
    /// Whether the second orders of lists are to follow, which the next call submits.
    [[nodiscard]] bool has_lists() const { return !context_.linking.empty(); }
    void continue_lists();

    // Of a restart, between open() and attach(), in the order of the journal:

    /// What is behind this record is to be reported again.
    [[nodiscard]] std::uint64_t reported_position() const { return reports_.reported_position(); }
    /// Instruments as they are now.
    void note_instrument(const InstrumentDefinition& definition) {
        context_.instruments.note(definition);
    }
    void note_record(const journal::Record& record) { sessions_.note_record(record); }
    /// Keeps the report of an event that has none yet.
    void report_missing(const Event& event, const Origin& origin, const CommandStamp& stamp,
                        const FixOrders::Applied& applied) {
        reports_.report_missing(event, origin, stamp, applied);
    }
    [[nodiscard]] std::uint64_t missing_reported() const { return reports_.missing_reported(); }

    [[nodiscard]] FixOrders& orders() { return context_.orders; }

    // Of a client:
    void on_logon(Client& client) {
        client.usual_reports = reports_.usual_for(client);
        sessions_.open_session(client);
    }
    void on_logout(Client& client) {
        market_.drop(client);
        sessions_.close_session(client);
    }

  private:
    std::filesystem::path folder_;
    Participants* participants_;
    FixContext<Exchange, Store> context_;
    Sessions sessions_;
    Reports reports_;
    Entry entry_;
    Market market_;
};

template <class Exchange, class Store>
std::expected<void, std::string> FixApplication<Exchange, Store>::open(journal::FileSystem& files,
                                                                       Timestamp now) {
    if (auto opened = sessions_.open(files, now); !opened) return opened;
    return reports_.open(files, folder_);
}

template <class Exchange, class Store>
void FixApplication<Exchange, Store>::attach(Exchange& exchange) {
    context_.exchange = &exchange;
    for (std::uint32_t id = 1; id <= context_.instruments.maximum(); ++id)
        if (const InstrumentDefinition* const found = exchange.definition(InstrumentId{id}))
            note_instrument(*found);
    participants_->note_given_out(exchange.last_participant());
    sessions_.add_copied();
}

template <class Exchange, class Store>
void FixApplication<Exchange, Store>::on_command_end(const Origin& origin) {
    if (gateway_of(origin.session) != k_fix_gateway) return;
    Client* const client = sessions_.client_at(static_cast<std::uint32_t>(origin.session.value));
    if (client == nullptr || client->pending == 0) return;
    const bool goes_on = client->linking.waits && client->pending == 1;
    if (goes_on) [[unlikely]]
        context_.linking.push_back(client);
    else
        --client->pending;
    if (context_.probe != nullptr) {
        context_.probe->on_command_end(origin);
        context_.probe->on_answered(origin, client->unwritten);
    }
    if (client->pending == 0) client->session.complete(context_.now);
    context_.touch(*client);
}

template <class Exchange, class Store>
void FixApplication<Exchange, Store>::continue_lists() {
    for (Client* const client : context_.linking) {
        --client->pending;
        entry_.enter_second(*client);
        if (client->pending == 0) client->session.complete(context_.now);
        context_.touch(*client);
    }
    context_.linking.clear();
}

template <class Exchange, class Store>
template <class F>
void FixApplication<Exchange, Store>::take_touched(F&& f) {
    for (Client* const client : context_.touched) {
        client->touched = false;
        if (client->connection) f(client->connection);
    }
    context_.touched.clear();
}

}  // namespace damrak::gateway::fix
