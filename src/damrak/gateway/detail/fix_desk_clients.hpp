// Who trades by FIX: sessions, their numbers, and their comings and goings. Part of fix_desk.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/gateway/fix_desk.hpp>

namespace damrak::gateway {

/// One counterparty. It is the application of its session.
template <class Exchange, class Store>
struct FixDesk<Exchange, Store>::Client {
    using Session = session::fix::Session<Client, Store>;

    Client(FixDesk& owner, Settings what, std::unique_ptr<Store> where, SessionId number,
           ParticipantId who)
        : desk(&owner),
          settings(std::move(what)),
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

    // What it is and its number are known once it is decoded, which is to be timed.
    void on_scan(Session& /*session*/) {
        if (desk->probe_ != nullptr)
            desk->probe_->on_message(id, telemetry::RequestKind::other, 0, 0);
    }
    void on_scanned(Session& /*session*/, const Message* message) {
        if (desk->probe_ == nullptr) return;
        if (message == nullptr) return desk->probe_->on_postponed();
        message_kind = detail::fix_request_kind(message->msg_type());
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

    FixDesk* desk;
    Settings settings;
    std::unique_ptr<Store> store;
    SessionId id;
    ParticipantId participant;
    Session session;
    session::OutputBuffer* out = nullptr;
    const detail::ReportTemplates* templates = nullptr;  ///< from its first logon on, unless routed
    ConnectionNumber connection{};                       ///< zero: none
    std::size_t directory_index = 0;
    std::uint32_t pending = 0;  ///< commands whose end was not told yet
    /// The last request that became a command: what its events do not repeat of it.
    struct Asking {
        std::uint64_t inbound_sequence = 0;
        views::FixTerms terms;
        Attachment attachment;
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
                                  Participants& participants, OpenStore open_store)
    : config_(std::move(config)),
      participants_(&participants),
      open_store_(std::move(open_store)),
      orders_(engine),
      definitions_(engine.maximum_instruments),
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
    roster_ = *std::move(roster);
    auto watermark = FixWatermark::open(files, config_.folder);
    if (!watermark) return std::unexpected{watermark.error()};
    watermark_ = *std::move(watermark);
    std::vector<Settings> known = config_.sessions;
    for (const FixRoster::Entry& entry : roster_->entries()) {
        participants_->note_taken(entry.participant);
        auto settings = settings_for(entry.name);
        const bool configured = settings.has_value();
        if (!configured) settings.emplace().name = entry.name;
        auto sound = session::fix::checked(*settings);
        if (!sound) return std::unexpected{sound.error()};
        const bool listed =
            std::ranges::any_of(known, [&](const Settings& one) { return one.name == entry.name; });
        // They trade under the name they had, which need not be known to the configuration.
        if (configured && !listed) known.push_back(*sound);
        if (auto added = add_client(*sound, entry.participant); !added)
            return std::unexpected{added.error()};
    }
    auto directory = session::fix::SessionDirectory::make(known, config_.maximum_sessions);
    if (!directory) return std::unexpected{directory.error()};
    directory_ = *std::move(directory);
    by_directory_.resize(directory_->size());
    for (const auto& client : clients_)
        for (std::size_t i = 0; i < directory_->size(); ++i)
            if (directory_->settings(i).name == client->settings.name)
                by_directory_[i] = client.get();
    on_time(now);
    return {};
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::attach(Exchange& exchange) {
    exchange_ = &exchange;
    for (std::uint32_t id = 1; id <= definitions_.size(); ++id)
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

template <class Exchange, class Store>
auto FixDesk<Exchange, Store>::add_client(const Settings& settings, ParticipantId participant)
    -> std::expected<Client*, std::string> {
    auto store = open_store_(config_.folder / session::fix::folder_name(settings.name));
    if (!store) return std::unexpected{store.error()};
    clients_.push_back(std::make_unique<Client>(*this, settings, *std::move(store),
                                                session_at(Door::fix, clients_.size() + 1),
                                                participant));
    if (settings.drop_copy) copied_to_.push_back(clients_.back().get());
    return clients_.back().get();
}

/// The participant that the configuration gives to its comp id; zero: none.
template <class Exchange, class Store>
ParticipantId FixDesk<Exchange, Store>::identified(const Settings& settings) const {
    const auto who = participants_->identities().of_comp_id(settings.name.target_comp_id);
    return who.value_or(ParticipantId{});
}

/// Sessions that are configured by name or want a password are credentials of their own.
template <class Exchange, class Store>
bool FixDesk<Exchange, Store>::may_log_on(const Settings& settings) const {
    const auto who = participants_->identities().of_comp_id(settings.name.target_comp_id);
    if (who || !settings.password.empty()) return true;
    return std::ranges::any_of(config_.sessions, [&](const Settings& one) {
        return one.name.target_comp_id == settings.name.target_comp_id;
    });
}

/// The client of a session that logs on; null if it cannot be one.
template <class Exchange, class Store>
auto FixDesk<Exchange, Store>::client_of(const Settings& settings) -> Client* {
    for (const auto& client : clients_)
        if (client->settings.name == settings.name) return client.get();
    ParticipantId participant = identified(settings);
    if (!participant) participant = participants_->take();
    if (!participant) return nullptr;
    if (!roster_->add({.participant = participant, .name = settings.name})) return nullptr;
    const auto added = add_client(settings, participant);
    return added ? *added : nullptr;
}

template <class Exchange, class Store>
auto FixDesk<Exchange, Store>::admit(std::span<const std::byte> bytes, std::string_view& why)
    -> Client* {
    why = {};
    const session::fix::Admission admission = directory_->admit(bytes, tools_.decoder);
    if (admission.status == session::fix::Admission::Status::need_more) return nullptr;
    if (admission.status == session::fix::Admission::Status::refused) {
        why = text(admission.why);
        return nullptr;
    }
    if (!may_log_on(directory_->settings(admission.session))) {
        why = "its comp id is none of the identities that are let in";
        directory_->leave(admission.session);
        return nullptr;
    }
    if (by_directory_.size() <= admission.session) by_directory_.resize(admission.session + 1);
    Client*& client = by_directory_[admission.session];
    if (client == nullptr) client = client_of(directory_->settings(admission.session));
    if (client == nullptr) {
        why = "there is no room for another session";
        directory_->leave(admission.session);
        return nullptr;
    }
    client->directory_index = admission.session;
    // One who was somebody else before the configuration named it trades under its new name once
    // nothing is open under the old one.
    if (const ParticipantId now = identified(client->settings);
        now && now != client->participant && orders_.first_open(client->participant) == 0)
        client->participant = now;
    return client;
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
    directory_->leave(client.directory_index);
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::on_time(Timestamp now) {
    now_ = now;
    for (const auto& client : clients_) {
        // A session that is away begins anew with its hours, before reports come that belong there.
        if (!client->session.connected() && client->settings.schedule.always()) continue;
        client->session.on_time(now);
        touch(*client);
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

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::note_instrument(const InstrumentDefinition& definition) {
    definitions_[definition.id.value - 1U] = definition;
    symbols_[definition.symbol] = definition.id;
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
void FixDesk<Exchange, Store>::make_up(const Event& event, const Origin& origin,
                                       const CommandStamp& stamp, const Applied& applied) {
    count(stamp);
    if (stamp.sequence.value <= watermark_->found()) return;
    making_up_ = true;
    report(event, origin, stamp, applied);
    if (!copied_to_.empty()) copy(event, stamp, applied);
    making_up_ = false;
}

}  // namespace damrak::gateway
