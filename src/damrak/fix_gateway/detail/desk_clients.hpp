// Who trades by FIX: sessions, their numbers, and their comings and goings. Part of fix_desk.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/fix_gateway/desk.hpp>

namespace damrak::gateway {

/// One counterparty. It is the application of its session.
template <class Exchange, class Store>
struct FixDesk<Exchange, Store>::Client {
    using Session = session::fix::Session<Client, Store>;
    static constexpr std::size_t k_no_place = SIZE_MAX;  ///< the directory does not know it

    Client(FixDesk& owner, SharedSettings what, std::unique_ptr<Store> where, SessionId number,
           ParticipantId who)
        : desk(&owner),
          shared_settings(std::move(what)),
          settings(*shared_settings),
          store(std::move(where)),
          id(number),
          participant(who),
          session(*this, *store, owner.tools_, settings) {}

    void on_logon(Session& /*session*/) { desk->open_session(*this); }
    void on_logout(Session& /*session*/, session::fix::Ended /*reason*/,
                   std::string_view /*text*/) {
        desk->close_session(*this);
    }
    [[nodiscard]] Reply on_message(Session& /*session*/, const Message& message) {
        return desk->on_request(*this, message);
    }

    /// Another session of its participant has a request under way, under the same name.
    [[nodiscard]] bool must_wait(Session& /*session*/, const Message& message) const {
        return shares_participant && desk->is_under_way(*this, message);
    }

    // What it is and its number are known once it is decoded, which is to be timed.
    void on_scan(Session& /*session*/) {
        if (desk->probe_ != nullptr)
            desk->probe_->on_message(id, telemetry::RequestKind::other, 0, 0);
    }
    void on_scanned(Session& /*session*/, const Message* message) {
        if (desk->probe_ == nullptr) return;
        if (message == nullptr) return desk->probe_->on_postponed();
        message_kind = detail::request_kind(message->msg_type());
        message_type = static_cast<std::uint8_t>(message->msg_type().front());
        message_sequence = static_cast<std::uint32_t>(message->sequence());
        desk->probe_->on_recognised(message_kind, message_type, message_sequence);
    }
    void on_taken(Session& /*session*/) {
        if (desk->probe_ != nullptr)
            desk->probe_->on_handled(id, message_kind, message_type, message_sequence, desk->now_,
                                     unwritten);
    }

    [[nodiscard]] detail::ReportStyle style() const {
        return {.version = session.appl_version(), .precision = settings.time_precision};
    }

    [[nodiscard]] std::uint32_t number() const { return static_cast<std::uint32_t>(id.value); }

    /// For who may need it longer.
    [[nodiscard]] std::shared_ptr<const session::fix::SessionName> name() const {
        return {shared_settings, &shared_settings->name};
    }

    FixDesk* desk;
    SharedSettings shared_settings;
    const Settings& settings;
    std::unique_ptr<Store> store;
    SessionId id;
    ParticipantId participant;
    Session session;
    session::OutputBuffer* out = nullptr;
    const detail::ReportTemplates* templates = nullptr;  ///< from its first logon on, unless routed
    ConnectionNumber connection{};                       ///< zero: none
    std::size_t directory_index = k_no_place;
    std::size_t known_index = 0;
    Timestamp away_since{};  ///< while it has no connection
    bool shares_participant = false;
    bool is_unknown = false;    ///< counted as one that nobody named
    bool ever_ordered = false;  ///< or may have, in an earlier run
    std::uint32_t pending = 0;  ///< commands whose end was not told yet
    /// The last request that became a command: what its events do not repeat of it.
    struct Asking {
        std::uint64_t inbound_sequence = 0;
        gateway::FixTerms terms;
        Attachment attachment;
        gateway::ClOrdId name;
    };
    Asking asking;
    detail::FixText reply_text;  ///< of the last request that was refused with a Reply
    // Of the message that is handled.
    telemetry::RequestKind message_kind{};
    std::uint8_t message_type = 0;
    std::uint32_t message_sequence = 0;
    telemetry::Unwritten unwritten;
    bool logged_on = false;
    bool touched = false;
};

template <class Exchange, class Store>
FixDesk<Exchange, Store>::FixDesk(FixDeskConfig config, const EngineConfig& engine,
                                  Participants& participants, Storing storing)
    : config_(std::move(config)),
      participants_(&participants),
      storing_(std::move(storing)),
      no_room_(fmt::format("there is no room for another session that is not configured: {} are "
                           "known (maximum_unknown_sessions)",
                           config_.maximum_unknown_sessions)),
      orders_(engine),
      instruments_(engine.maximum_instruments, config_.isins),
      admin_(config_.maximum_sessions) {
    touched_.reserve(4 * config_.maximum_sessions);
    if (!config_.sessions.empty()) return;
    Settings any;
    any.name.begin_string = wire::fix::BeginString::unknown;
    any.name.sender_comp_id = config_.comp_id;
    any.name.target_comp_id = session::fix::k_any_comp_id;
    config_.sessions.push_back(std::move(any));
}

template <class Exchange, class Store>
FixDesk<Exchange, Store>::~FixDesk() = default;

template <class Exchange, class Store>
std::expected<void, std::string> FixDesk<Exchange, Store>::open(journal::FileSystem& files,
                                                                Timestamp now) {
    now_ = now;
    auto roster = FixRoster::open(files, config_.folder);
    if (!roster) return std::unexpected{roster.error()};
    auto watermark = FixWatermark::open(files, config_.folder);
    if (!watermark) return std::unexpected{watermark.error()};
    watermark_ = *std::move(watermark);
    auto directory =
        session::fix::SessionDirectory::make(config_.sessions, config_.maximum_sessions);
    if (!directory) return std::unexpected{directory.error()};
    directory_ = *std::move(directory);
    added_ = roster->added();
    removed_ = roster->removed();
    if (auto opened = open_known(*roster); !opened) return opened;
    registry_.emplace(*std::move(roster), config_.folder, storing_, config_.has_helper);
    on_time(now);
    return {};
}

template <class Exchange, class Store>
std::expected<void, std::string> FixDesk<Exchange, Store>::open_known(const FixRoster& roster) {
    const auto settings_of = [&](const session::fix::SessionName& name) {
        auto settings = settings_for(name).value_or(Settings{});
        settings.name = name;
        return session::fix::checked(std::move(settings));
    };
    for (const session::fix::SessionName& name : added_) {
        auto settings = settings_of(name);
        if (!settings) return std::unexpected{settings.error()};
        static_cast<void>(directory_->add(*std::move(settings), false));
    }
    std::uint32_t number = 0;
    for (const FixRoster::Entry& entry : roster.entries()) {
        ++number;
        if (!entry.participant) continue;
        participants_->note_taken(entry.participant);
        auto settings = settings_of(entry.name);
        if (!settings) return std::unexpected{settings.error()};
        auto store = storing_.open(config_.folder / session::fix::folder_name(entry.name));
        if (!store) return std::unexpected{store.error()};
        // They trade under the name they had, which need not be known to the configuration.
        const bool is_configured = settings_for(entry.name) || is_named(entry.name);
        auto shared = std::make_shared<const Settings>(*std::move(settings));
        std::size_t place = Client::k_no_place;
        if (is_configured) {
            place = directory_->add(*shared, true);
            shared = directory_->shared_settings(place);
            if (places_.size() <= place) places_.resize(place + 1);
        }
        Client& client =
            add_client(std::move(shared), *std::move(store), number, entry.participant);
        client.ever_ordered = true;
        client.directory_index = place;
        if (is_configured) places_[place].client = &client;
    }
    clients_.resize(number);
    places_.resize(directory_->size());
    return {};
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::attach(Exchange& exchange) {
    exchange_ = &exchange;
    for (std::uint32_t id = 1; id <= instruments_.maximum(); ++id)
        if (const InstrumentDefinition* const found = exchange.definition(InstrumentId{id}))
            note_instrument(*found);
    participants_->note_given_out(exchange.last_participant());
    add_copied();
}

/// Of a session by this name: its own, or those of the template that fits.
template <class Exchange, class Store>
std::optional<session::fix::SessionSettings> FixDesk<Exchange, Store>::settings_for(
    const session::fix::SessionName& name) const {
    const Settings* pattern = nullptr;
    for (const Settings& one : config_.sessions) {
        if (one.name == name) return one;
        const bool any_client = one.name.target_comp_id == session::fix::k_any_comp_id;
        const bool any_version = one.name.begin_string == wire::fix::BeginString::unknown;
        if (one.name.sender_comp_id != name.sender_comp_id) continue;
        if (!any_client && one.name.target_comp_id != name.target_comp_id) continue;
        if (!any_version && one.name.begin_string != name.begin_string) continue;
        if (pattern == nullptr || !any_version) pattern = &one;
    }
    if (pattern == nullptr) return std::nullopt;
    Settings settings = *pattern;
    settings.name = name;
    return settings;
}

/// The participant that the configuration gives to its comp id; zero: none.
template <class Exchange, class Store>
ParticipantId FixDesk<Exchange, Store>::identified(const Settings& settings) const {
    const auto who = participants_->identities().of_comp_id(settings.name.target_comp_id);
    return who.value_or(ParticipantId{});
}

template <class Exchange, class Store>
std::string FixDesk<Exchange, Store>::describe_stranger(std::span<const std::byte> bytes) {
    using wire::fix::Scan;
    Message first;
    const Scan scan =
        tools_.decoder.scan({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, first);
    if (scan.status == Scan::Status::garbled)
        return fmt::format("(no FIX message: {}) ", wire::fix::text(scan.reason));
    if (scan.status == Scan::Status::need_more) return {};
    const auto shown = [&](wire::fix::Tag tag) {
        return session::fix::printable(first.text_or_empty(tag));
    };
    namespace tag = wire::fix::tag;
    return fmt::format("{}:{}->{} (MsgType {}) ", shown(tag::begin_string),
                       shown(tag::target_comp_id), shown(tag::sender_comp_id),
                       shown(tag::msg_type));
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::connect(Client& client, session::OutputBuffer& out,
                                       ConnectionNumber connection, Timestamp now) {
    now_ = now;
    client.connection = connection;
    client.out = &out;
    client.session.connect(out, now);
}

template <class Exchange, class Store>
session::Received FixDesk<Exchange, Store>::receive(Client& client,
                                                    std::span<const std::byte> bytes,
                                                    Timestamp now) {
    now_ = now;
    return client.session.receive(bytes, now);
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::leave(Client& client, Timestamp now) {
    now_ = now;
    client.session.close(now);
    client.connection = {};
    client.out = nullptr;
    client.away_since = now;
    directory_->leave(client.directory_index);
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::on_time(Timestamp now) {
    now_ = now;
    std::uint32_t forgotten = 0;
    // Backwards: one that is forgotten has its place taken by the last.
    for (std::size_t i = known_.size(); i-- > 0;) {
        Client& client = *known_[i];
        if (!client.session.connected()) {
            if (forgotten < k_most_forgotten && is_old(client)) [[unlikely]] {
                ++forgotten;
                forget(client);
                continue;
            }
            // One that is away begins anew with its hours, before reports come that belong there.
            if (client.settings.schedule.always()) continue;
        }
        client.session.on_time(now);
        if (!client.connection) continue;
        if (client.out->size() > 0 || client.session.ended() != session::fix::Ended::no)
            touch(client);
    }
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::touch(Client& client) {
    if (!client.connection || std::exchange(client.touched, true)) return;
    touched_.push_back(&client);
}

/// None for a session with routing fields of its own: its reports are made one by one.
template <class Exchange, class Store>
const detail::ReportTemplates* FixDesk<Exchange, Store>::templates_for(const Client& client) {
    const session::fix::SessionName& name = client.settings.name;
    if (!name.sender_sub_id.empty() || !name.target_sub_id.empty()) return nullptr;
    const auto version = client.session.appl_version();
    return &templates_.try_emplace({name.begin_string, version}, name.begin_string, version)
                .first->second;
}

/// Tells the journal who is here, so that a restart knows whom to end.
template <class Exchange, class Store>
void FixDesk<Exchange, Store>::open_session(Client& client) {
    client.logged_on = true;
    client.templates = templates_for(client);
    Command opened{};
    opened.kind = CommandKind::session_opened;
    opened.participant = client.participant;
    if (cancels_at_end(client)) opened.flags = CommandFlags::k_cancel_on_disconnect;
    ++client.pending;
    stopped_ |= !exchange_->submit(opened, {.session = client.id}, now_);
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::close_session(Client& client) {
    if (market_) market_->drop(client.number());
    if (!std::exchange(client.logged_on, false) || stopped_) return;
    Command command{};
    command.participant = client.participant;
    if (cancels_at_end(client)) {
        command.kind = CommandKind::mass_cancel;
        command.flags = CommandFlags::k_both_sides;
        ++client.pending;
        stopped_ |= !exchange_->submit(command, {.session = client.id}, now_);
    }
    command.kind = CommandKind::session_closed;
    command.flags = 0;
    ++client.pending;
    stopped_ |= stopped_ || !exchange_->submit(command, {.session = client.id}, now_);
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::on_command_end(const Origin& origin) {
    if (door_of(origin.session) != Door::fix) return;
    Client* const client = client_at(static_cast<std::uint32_t>(origin.session.value));
    if (client == nullptr || client->pending == 0) return;
    --client->pending;
    if (probe_ != nullptr) {
        probe_->on_command_end(origin);
        probe_->on_answered(origin, client->unwritten);
    }
    if (client->pending == 0) client->session.complete(now_);
    touch(*client);
}

/// A request that is in the journal was taken, whether or not the session could note that.
template <class Exchange, class Store>
void FixDesk<Exchange, Store>::note_record(const journal::Record& record) {
    const SessionId id{record.head.session};
    if (door_of(id) != Door::fix || record.head.inbound_sequence == 0) return;
    // Without its command an attachment is nothing.
    if (record.head.kind == journal::k_attachment_kind) return;
    Client* const client = client_at(static_cast<std::uint32_t>(id.value));
    if (client == nullptr || record.command.timestamp < client->store->began()) return;
    if (record.head.inbound_sequence >= client->store->next_incoming())
        client->store->set_next_incoming(record.head.inbound_sequence + 1, now_);
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::report_missing(const Event& event, const Origin& origin,
                                              const CommandStamp& stamp, const Applied& applied) {
    count(stamp);
    if (stamp.sequence.value <= watermark_->found()) return;
    making_up_ = true;
    report(event, origin, stamp, applied);
    if (!copied_to_.empty()) copy(event, stamp, applied);
    making_up_ = false;
}

}  // namespace damrak::gateway
