// Who trades by FIX: their sessions, and their comings and goings. Part of session_table.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/gateway/fix/session_table.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
FixSessionTable<Exchange, Store>::FixSessionTable(FixApplicationConfig config, Context& context,
                                                  Participants& participants, Storing storing)
    : config_(std::move(config)),
      context_(&context),
      participants_(&participants),
      storing_(std::move(storing)),
      unnamed_(budget::Row::Parts::of(config_.maximum_unknown_sessions,
                                      config_.maximum_unknown_sessions)),
      no_room_(fmt::format("there is no room for another session that is not configured: {} are "
                           "known (maximum_unknown_sessions)",
                           config_.maximum_unknown_sessions)),
      admin_(config_.maximum_sessions) {
    if (!config_.sessions.empty()) return;
    Settings any;
    any.name.begin_string = fix_codec::BeginString::unknown;
    any.name.sender_comp_id = config_.comp_id;
    any.name.target_comp_id = session::fix::k_any_comp_id;
    config_.sessions.push_back(std::move(any));
}

template <class Exchange, class Store>
std::expected<void, std::string> FixSessionTable<Exchange, Store>::open(journal::FileSystem& files,
                                                                        Timestamp now) {
    context_->now = now;
    auto roster = FixRoster::open(files, config_.folder);
    if (!roster) return std::unexpected{roster.error()};
    auto lock = files.lock(config_.folder);
    if (!lock) return std::unexpected{lock.error()};
    lock_ = *std::move(lock);
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
std::expected<void, std::string> FixSessionTable<Exchange, Store>::open_known(
    const FixRoster& roster) {
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
        const auto folder = config_.folder / session::fix::folder_name(entry.name);
        auto store = storing_.open(folder);
        if (!store) return std::unexpected{store.error()};
        tell_damage(folder, **store);
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
        if (!is_named(entry.name)) client.place = unnamed_.take_again({});
        client.ever_ordered = true;
        client.directory_index = place;
        if (is_configured) places_[place].client = &client;
    }
    clients_.resize(number);
    places_.resize(directory_->size());
    return {};
}

/// A session that was used has at least the number of its Logon, or a position.
template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::tell_damage(const std::filesystem::path& folder,
                                                   const Store& store) const {
    if constexpr (requires { store.notes(); })
        for (const std::string& note : store.notes()) config_.on_trouble(note);
    if (store.next_outgoing() == 1 && store.next_incoming() == 1 &&
        store.last_position() == session::fix::EventPosition{})
        config_.on_trouble(fmt::format(
            "{}: the messages of this session are gone, and both of its numbers begin at 1: "
            "restore "
            "the folder from a copy, or let the client begin with ResetSeqNumFlag (141=Y) and ask "
            "for its orders",
            folder.string()));
}

/// Of a session by this name: its own, or those of the template that fits.
template <class Exchange, class Store>
std::optional<session::fix::SessionSettings> FixSessionTable<Exchange, Store>::settings_for(
    const session::fix::SessionName& name) const {
    const Settings* pattern = nullptr;
    for (const Settings& one : config_.sessions) {
        if (one.name == name) return one;
        const bool any_client = one.name.target_comp_id == session::fix::k_any_comp_id;
        const bool any_version = one.name.begin_string == fix_codec::BeginString::unknown;
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
ParticipantId FixSessionTable<Exchange, Store>::identified(const Settings& settings) const {
    const auto who = participants_->identities().of_comp_id(settings.name.target_comp_id);
    return who.value_or(ParticipantId{});
}

template <class Exchange, class Store>
std::string FixSessionTable<Exchange, Store>::describe_sender(std::span<const std::byte> bytes) {
    using fix_codec::Scan;
    Message first;
    const Scan scan = context_->tools.decoder.scan(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, first);
    if (scan.status == Scan::Status::garbled)
        return fmt::format("(no FIX message: {}) ", fix_codec::text(scan.reason));
    if (scan.status == Scan::Status::need_more) return {};
    const auto shown = [&](fix_codec::Tag tag) {
        return session::fix::printable(first.text_or_empty(tag));
    };
    namespace tag = fix_codec::tag;
    return fmt::format("{}:{}->{} (MsgType {}) ", shown(tag::begin_string),
                       shown(tag::target_comp_id), shown(tag::sender_comp_id),
                       shown(tag::msg_type));
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::connect(Client& client, session::OutputBuffer& out,
                                               const Comer& comer) {
    context_->now = comer.now;
    client.connection = comer.connection;
    client.holder = {.identity = identity_of(client.directory_index), .host = comer.host};
    client.out = &out;
    client.session.connect(out, comer.now);
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::leave(Client& client, Timestamp now) {
    context_->now = now;
    client.session.close(now);
    client.connection = {};
    client.out = nullptr;
    client.away_since = now;
    directory_->leave(client.directory_index);
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::on_time(Timestamp now) {
    context_->now = now;
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
            // One that is away starts again with its hours, before reports come that belong there.
            if (client.settings.schedule.always()) continue;
        }
        client.session.on_time(now);
        if (!client.connection) continue;
        if (client.out->size() > 0 || client.session.ended() != session::fix::Ended::no)
            context_->touch(client);
    }
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::open_session(Client& client) {
    client.logged_on = true;
    Command opened{};
    opened.kind = CommandKind::session_opened;
    opened.participant = client.participant;
    if (cancels_at_end(client)) opened.flags = CommandFlags::k_cancel_on_disconnect;
    context_->submit(client, opened, {.session = client.id});
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::close_session(Client& client) {
    if (!std::exchange(client.logged_on, false) || context_->stopped) return;
    Command command{};
    command.participant = client.participant;
    if (cancels_at_end(client)) {
        command.kind = CommandKind::mass_cancel;
        command.flags = CommandFlags::k_both_sides;
        context_->submit(client, command, {.session = client.id});
    }
    command.kind = CommandKind::session_closed;
    command.flags = 0;
    context_->submit(client, command, {.session = client.id});
}

/// A request that is in the journal was taken, whether or not the session could note that.
template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::note_record(const journal::Record& record) {
    const SessionId id{record.head.session};
    if (gateway_of(id) != k_fix_gateway || record.head.inbound_sequence == 0) return;
    // Without its command an attachment is nothing.
    if (record.head.kind == journal::k_attachment_kind) return;
    Client* const client = client_at(static_cast<std::uint32_t>(id.value));
    if (client == nullptr || record.command.timestamp < client->store->began()) return;
    if (record.head.inbound_sequence >= client->store->next_incoming())
        client->store->set_next_incoming(record.head.inbound_sequence + 1, context_->now);
}

}  // namespace damrak::gateway::fix
