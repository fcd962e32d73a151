// What the parts of the FIX application share: the clients, each with its session, and the context
// in which all of them work. Plain members; each part documents what it changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/budget/row.hpp>
#include <damrak/domain/attachment.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/fees.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/connection_slots.hpp>
#include <damrak/gateway/fix/detail/attachment.hpp>
#include <damrak/gateway/fix/detail/instruments.hpp>
#include <damrak/gateway/fix/detail/quotes.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>
#include <damrak/gateway/fix/detail/request_kind.hpp>
#include <damrak/gateway/fix/detail/usual_reports.hpp>
#include <damrak/gateway/fix/fix_orders.hpp>
#include <damrak/session/fix/session.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
class FixApplication;
template <class Exchange, class Store>
struct FixContext;

template <class Exchange, class Store>
/// One counterparty. It is the application of its session.
struct ConnectedClient {
    using Session = session::fix::Session<ConnectedClient, Store>;
    using Message = fix_codec::Message;
    using SharedSettings = std::shared_ptr<const session::fix::SessionSettings>;
    static constexpr std::size_t k_no_place = SIZE_MAX;  ///< the directory does not know it

    ConnectedClient(FixContext<Exchange, Store>& with, SharedSettings what,
                    std::unique_ptr<Store> where, SessionId number, ParticipantId who)
        : context(&with),
          shared_settings(std::move(what)),
          settings(*shared_settings),
          store(std::move(where)),
          id(number),
          participant(who),
          session(*this, *store, with.tools, settings) {}

    void on_logon(Session& /*session*/) { context->application->on_logon(*this); }
    void on_logout(Session& /*session*/, session::fix::Ended /*reason*/,
                   std::string_view /*text*/) {
        context->application->on_logout(*this);
    }
    /// By the kind of request: detail/requests.hpp.
    [[nodiscard]] session::fix::Reply on_message(Session& session, const Message& message);

    /// Another session of the participant has a pending request with the same name.
    [[nodiscard]] bool must_wait(Session& /*session*/, const Message& message) const {
        return shares_participant && context->application->entry().is_under_way(*this, message);
    }

    // What it is and its number are known once it is decoded, which is to be timed.
    void on_scan(Session& /*session*/) {
        if (context->probe != nullptr)
            context->probe->on_message(id, telemetry::RequestKind::other, 0, 0);
    }
    void on_scanned(Session& /*session*/, const Message* message) {
        if (context->probe == nullptr) return;
        if (message == nullptr) return context->probe->on_postponed();
        message_kind = detail::request_kind(message->msg_type());
        message_type = static_cast<std::uint8_t>(message->msg_type().front());
        message_sequence = static_cast<std::uint32_t>(message->sequence());
        context->probe->on_recognised(message_kind, message_type, message_sequence);
    }
    void on_taken(Session& /*session*/) {
        if (context->probe != nullptr)
            context->probe->on_handled(id, message_kind, message_type, message_sequence,
                                       context->now, unwritten);
    }

    [[nodiscard]] detail::ReportStyle style() const {
        return {.version = session.appl_version(), .precision = settings.time_precision};
    }

    [[nodiscard]] std::uint32_t number() const { return static_cast<std::uint32_t>(id.value); }

    /// For who may need it longer.
    [[nodiscard]] std::shared_ptr<const session::fix::SessionName> name() const {
        return {shared_settings, &shared_settings->name};
    }

    FixContext<Exchange, Store>* context;
    SharedSettings shared_settings;
    const session::fix::SessionSettings& settings;
    std::unique_ptr<Store> store;
    SessionId id;
    ParticipantId participant;
    Session session;
    session::OutputBuffer* out = nullptr;
    /// From its first logon on, unless its reports are routed.
    std::optional<detail::UsualReports> usual_reports;
    detail::ReportHead report_head;
    ConnectionNumber connection{};  ///< zero: none
    std::size_t directory_index = k_no_place;
    std::size_t known_index = 0;
    Timestamp away_since{};  ///< while it has no connection
    bool shares_participant = false;
    budget::Row::Place place;   ///< of one that nobody named
    bool ever_ordered = false;  ///< or may have, in an earlier run
    std::uint32_t pending = 0;  ///< commands whose end was not reported yet
    /// The last request that became a command: what its events do not repeat of it.
    struct Asking {
        std::uint64_t inbound_sequence = 0;
        FixTerms terms;
        Attachment attachment;
        ClOrdId name;
    };
    Asking asking;
    /// The second order of the last list, which names the first.
    struct Linking {
        bool waits = false;  ///< until the command of the first has ended
        Command command{};   ///< without the id of the first
        FixNote note{};
        Asking asking;
        ClOrdId first;
    };
    Linking linking;
    detail::QuoteRun quotes;     ///< the last one
    detail::FixText reply_text;  ///< of the last request that was refused with a Reply
    // Of the message that is handled.
    telemetry::RequestKind message_kind{};
    std::uint8_t message_type = 0;
    std::uint32_t message_sequence = 0;
    telemetry::Unwritten unwritten;
    bool logged_on = false;
    bool touched = false;
    budget::Who holder;  ///< of the places that it takes
};

template <class Exchange, class Store>
struct FixContext {
    using Client = ConnectedClient<Exchange, Store>;

    FixContext(FixApplication<Exchange, Store>& owner, const EngineConfig& engine,
               FixInstruments::Isins isins)
        : application(&owner),
          orders(engine),
          instruments(engine.maximum_instruments, std::move(isins)) {}

    /// The client has something to send, or is to be closed.
    void touch(Client& client) {
        if (!client.connection || std::exchange(client.touched, true)) return;
        touched.push_back(&client);
    }
    /// A command of a client; its end is reported to it.
    void submit(Client& client, const Command& command, const Origin& origin) {
        ++client.pending;
        stopped = stopped || !exchange->submit(command, origin, now);
    }
    /// Of a message that reports no event; never given twice.
    [[nodiscard]] detail::FixedText<32> own_id(const detail::ReportStyle& style) {
        ++own_ids;
        if (style.version == fix_codec::ApplVersion::fix40)
            return detail::FixedText<32>{"{}", now.value + own_ids};
        return detail::FixedText<32>{"{}.{}", now.value, own_ids};
    }

    FixApplication<Exchange, Store>* application;
    Exchange* exchange = nullptr;
    telemetry::Probe* probe = nullptr;
    session::fix::SessionTools tools;
    FixOrders orders;
    FixInstruments instruments;
    std::optional<Fees> fees;  ///< reported with each execution
    std::vector<Client*> touched;
    std::vector<Client*> linking;  ///< the second order of their list is to follow
    Timestamp now{};
    std::int64_t own_ids = 0;
    bool stopped = false;  ///< nothing is taken any more
};

}  // namespace damrak::gateway::fix
