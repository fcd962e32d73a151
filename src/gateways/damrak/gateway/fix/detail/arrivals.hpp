// Who is let in at the FIX gateway, how a session begins to exist, and how it ends to. Part of
// session_table.hpp.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include <damrak/gateway/fix/session_table.hpp>

namespace damrak::gateway::fix {

namespace detail {

[[nodiscard]] inline session::fix::LogonRefusal logon_refusal(session::fix::NotAdmitted why) {
    using session::fix::LogonRefusal;
    using session::fix::NotAdmitted;
    switch (why) {
        case NotAdmitted::not_a_logon:
            return LogonRefusal::invalid;
        case NotAdmitted::unknown_session:
            return LogonRefusal::unknown_session;
        case NotAdmitted::already_logged_on:
            return LogonRefusal::already_logged_on;
        case NotAdmitted::too_many_sessions:
            return LogonRefusal::no_room;
    }
    std::unreachable();
}

}  // namespace detail

/// The configuration, an identity or an administrator has its comp id.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::is_named(const session::fix::SessionName& name) const {
    const Identities& identities = participants_->identities();
    const auto has_it = [&](const Settings& one) {
        return one.name.target_comp_id == name.target_comp_id;
    };
    return identities.names_comp_id(name.target_comp_id) ||
           std::ranges::any_of(config_.sessions, has_it) ||
           std::ranges::find(added_, name) != added_.end();
}

/// Of the budget: its participant, a number that no participant has for a session that has none of
/// its own but is named, and zero for any other.
template <class Exchange, class Store>
ParticipantId FixSessionTable<Exchange, Store>::identity_of(std::size_t at) const {
    constexpr std::uint32_t k_first_free = 1U << 31U;
    const Settings& settings = directory_->settings(at);
    if (const ParticipantId id = identified(settings)) return id;
    return is_named(settings.name) ? ParticipantId{k_first_free + static_cast<std::uint32_t>(at)}
                                   : ParticipantId{};
}

template <class Exchange, class Store>
template <class Settle>
auto FixSessionTable<Exchange, Store>::admit(std::span<const std::byte> bytes,
                                             session::OutputBuffer& out, const Comer& comer,
                                             const Settle& settle) -> Admitted {
    using session::fix::Admission;
    using session::fix::LogonRefusal;
    using session::fix::NotAdmitted;
    context_->now = comer.now;
    const Admission admission = directory_->admit(bytes, context_->tools.decoder);
    if (admission.status == Admission::Status::need_more) return {};
    if (admission.status == Admission::Status::refused) {
        const std::string_view why = text(admission.why);
        context_->tools.counters.count(detail::logon_refusal(admission.why));
        if (admission.why == NotAdmitted::too_many_sessions) say_farewell(bytes, out, why);
        return {.why = why};
    }
    const std::size_t at = admission.session;
    if (places_.size() <= at) places_.resize(at + 1);
    const auto refuse = [&](LogonRefusal reason, std::string_view why) {
        context_->tools.counters.count(reason);
        directory_->leave(at);
        if (directory_->is_by_template(at) && places_[at].client == nullptr &&
            !places_[at].arriving)
            directory_->forget(at);
        return Admitted{.why = why};
    };
    const Settings& settings = directory_->settings(at);
    if (const auto why = obstacle_to_arrival(settings, bytes, out); !why.empty())
        return refuse(LogonRefusal::not_let_in, why);
    const auto part = [&](LogonRefusal reason, std::string_view why) {
        say_farewell(bytes, out, why);
        return refuse(reason, why);
    };
    if (const auto settled = settle(identity_of(at)); !settled)
        return part(LogonRefusal::no_room, budget::text(settled.error()));
    if (places_[at].client == nullptr && !places_[at].arriving) {
        const bool is_unnamed = !is_named(settings.name);
        if (is_unnamed && !knows_password(settings, bytes))
            return part(LogonRefusal::password, "Unknown user or wrong password");
        if (const auto why = is_unnamed ? obstacle_to_place(at, comer.host) : std::string_view{};
            !why.empty())
            return part(LogonRefusal::no_room, why);
        if (!begin_arrival(at, comer.host)) {
            places_[at].place.give_back();
            // For when it comes again: the release of a participant takes its time.
            static_cast<void>(make_room());
            return part(LogonRefusal::no_room,
                        "there are no participants left for another session");
        }
    }
    Place& place = places_[at];
    if (place.client == nullptr && place.arriving) {
        place.awaiting = comer.connection;
        return {.awaited = true, .place = at};
    }
    if (place.client == nullptr) {
        say_farewell(bytes, out, k_cannot_be_kept);
        return refuse(LogonRefusal::storage, place.trouble);
    }
    Client& client = *place.client;
    // One who was somebody else before the configuration named it trades under its new name once
    // nothing is open under the old one.
    if (const ParticipantId named = identified(client.settings);
        named && named != client.participant &&
        context_->orders.first_open(client.participant) == 0) {
        participants_->leave(std::exchange(client.participant, named), 0);
        note_sharing(named);
    }
    return {.client = &client};
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::note_sharing(ParticipantId participant) {
    const bool several = std::ranges::count(known_, participant, &Client::participant) > 1;
    for (Client* const one : known_)
        if (one->participant == participant) one->shares_participant = several;
}

/// A place for a session that nobody named; why there is none, or empty.
template <class Exchange, class Store>
std::string_view FixSessionTable<Exchange, Store>::obstacle_to_place(std::size_t at,
                                                                     net::ClientAddress host) {
    auto place = unnamed_.take({.identity = {}, .host = host});
    if (!place && place.error() == budget::Refusal::host) return budget::text(place.error());
    if (!place && make_room()) place = unnamed_.take({.identity = {}, .host = host});
    if (!place) return no_room_;
    places_[at].place = *std::move(place);
    return {};
}

/// Sessions that are configured by name or want a password are credentials of their own.
template <class Exchange, class Store>
std::string_view FixSessionTable<Exchange, Store>::obstacle_to_arrival(
    const Settings& settings, std::span<const std::byte> bytes, session::OutputBuffer& out) {
    if (std::ranges::find(removed_, settings.name) != removed_.end()) {
        constexpr std::string_view k_why = "an administrator removed this session";
        say_farewell(bytes, out, k_why);
        return k_why;
    }
    const auto who = participants_->identities().of_comp_id(settings.name.target_comp_id);
    if (who || !settings.password.empty() || is_named(settings.name)) return {};
    return "its comp id is none of the identities that are let in";
}

/// Before its session is made: one that it would be refused by need not be.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::knows_password(const Settings& settings,
                                                      std::span<const std::byte> bytes) {
    namespace tag = fix_codec::tag;
    if (settings.user_name.empty()) return true;
    Message first;
    static_cast<void>(context_->tools.decoder.scan(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, first));
    return first.text_or_empty(tag::username) == settings.user_name &&
           first.text_or_empty(tag::password) == settings.password;
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::say_farewell(std::span<const std::byte> bytes,
                                                    session::OutputBuffer& out,
                                                    std::string_view text) {
    namespace tag = fix_codec::tag;
    using fix_codec::BeginString;
    Message first;
    const auto scan = context_->tools.decoder.scan(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, first);
    if (scan.status != fix_codec::Scan::Status::message ||
        first.begin_string() == BeginString::unknown)
        return;
    fix_codec::MessageWriter writer{context_->tools.scratch, context_->tools.times};
    writer.begin(first.begin_string(), "5");
    writer.put(tag::msg_seq_num, 1);
    writer.put(tag::sender_comp_id, first.text_or_empty(tag::target_comp_id));
    writer.put_timestamp(tag::sending_time, context_->now,
                         first.begin_string() < BeginString::fix42
                             ? fix_codec::TimePrecision::seconds
                             : fix_codec::TimePrecision::milliseconds);
    writer.put(tag::target_comp_id, first.text_or_empty(tag::sender_comp_id));
    writer.put(tag::text, text);
    const auto message = std::as_bytes(writer.finish());
    const auto room = out.extend(message.size());
    if (!room.empty()) std::ranges::copy(message, room.begin());
}

/// False: there is no participant for it.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::begin_arrival(std::size_t place, net::ClientAddress host) {
    const Settings& settings = directory_->settings(place);
    ParticipantId participant = identified(settings);
    if (!participant) participant = participants_->take(host);
    if (!participant) return false;
    places_[place].arriving = true;
    hand_over({.kind = Errand::Kind::enter,
               .entry = {.participant = participant, .name = settings.name},
               .place = place});
    return true;
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::hand_over(Errand errand) {
    ++errands_;
    registry_->hand_over(std::make_unique<Errand>(std::move(errand)));
    if (!config_.has_helper) take_arrived([](ConnectionNumber, Client*, std::string_view) {});
}

template <class Exchange, class Store>
template <class F>
void FixSessionTable<Exchange, Store>::take_arrived(F&& f) {
    if (!registry_ || !registry_->any_done()) [[likely]]
        return;
    using session::fix::LogonRefusal;
    registry_->take_done([&](std::unique_ptr<Errand> errand) {
        --errands_;
        on_done(*errand);
        if (errand->kind != Errand::Kind::enter) return;
        const std::size_t at = errand->place;
        const auto connection = std::exchange(places_[at].awaiting, ConnectionNumber{});
        if (connection) f(connection, places_[at].client, std::string_view{places_[at].trouble});
        if (places_[at].client != nullptr) return;
        if (connection) {
            context_->tools.counters.count(LogonRefusal::storage);
            directory_->leave(at);
        }
        if (directory_->is_by_template(at) && !directory_->is_live(at)) directory_->forget(at);
    });
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::on_done(Errand& errand) {
    if (errand.kind != Errand::Kind::enter) {
        if (errand.by_administrator) {
            --administration_.errands;
            if (!errand.trouble.empty()) administration_.trouble = errand.trouble;
        }
        if (errand.kind != Errand::Kind::leave || !errand.trouble.empty()) return;
        // Not while the roster has it: a kill would bring it back beside who is it next.
        const ParticipantId participant = errand.entry.participant;
        if (errand.ever_ordered)
            participants_->leave(participant, 0);
        else
            participants_->give_back(participant);
        return;
    }
    Place& place = places_[errand.place];
    place.arriving = false;
    place.trouble.clear();
    const SharedSettings settings = directory_->shared_settings(errand.place);
    if (errand.store != nullptr) {
        place.client =
            &add_client(settings, std::move(errand.store), errand.number, errand.entry.participant);
        place.client->directory_index = errand.place;
        place.client->place = std::move(place.place);
        return;
    }
    place.place.give_back();
    place.trouble = fmt::format("this session cannot be kept: {}", errand.trouble);
    if (errand.entry.participant != identified(*settings))
        participants_->give_back(errand.entry.participant);
}

template <class Exchange, class Store>
auto FixSessionTable<Exchange, Store>::add_client(SharedSettings settings,
                                                  std::unique_ptr<Store> store,
                                                  std::uint32_t number, ParticipantId participant)
    -> Client& {
    if (clients_.size() < number) clients_.resize(number);
    auto& client = clients_[number - 1];
    client = std::make_unique<Client>(*context_, std::move(settings), std::move(store),
                                      session_at(k_fix_gateway, number), participant);
    client->away_since = context_->now;
    if constexpr (requires { client->store->last_time(); })
        client->away_since = client->store->last_time();
    client->known_index = known_.size();
    known_.push_back(client.get());
    if (client->settings.drop_copy) copied_to_.push_back(client.get());
    note_sharing(participant);
    return *client;
}

/// Its connection has ended before its session was made.
template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::give_up(std::size_t place) {
    places_[place].awaiting = {};
    directory_->leave(place);
}

/// It has nothing pending, and nothing open.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::may_be_forgotten(const Client& client) const {
    if (client.session.connected() || client.pending > 0 || client.touched) return false;
    if (client.directory_index != Client::k_no_place && directory_->is_live(client.directory_index))
        return false;
    std::uint32_t i = context_->orders.first_open(client.participant);
    for (; i != 0; i = context_->orders.at(i).next)
        if (context_->orders.at(i).member == client.number()) return false;
    return true;
}

/// Long enough without connection to be forgotten.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::is_old(Client& client) {
    const std::int64_t lifetime_ns = config_.unknown_lifetime_ns;
    if (!client.place || lifetime_ns == 0 || context_->stopped || context_->exchange == nullptr)
        return false;
    if ((context_->now - client.away_since).value < lifetime_ns) [[likely]]
        return false;
    if (is_named(client.settings.name)) {  // since a reload
        client.place.give_back();
        return false;
    }
    return may_be_forgotten(client);
}

/// For another session that nobody named: one that has nothing here any more keeps nobody out, and
/// one that never ordered goes first. False: all are connected, have orders or may have a position.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::make_room() {
    const auto leaves_before = [](const Client& a, const Client& b) {
        return std::tuple{a.ever_ordered, a.away_since} < std::tuple{b.ever_ordered, b.away_since};
    };
    Client* oldest = nullptr;
    for (Client* const one : known_)
        if (one->place && !participants_->has_traded(one->participant) && may_be_forgotten(*one) &&
            (oldest == nullptr || leaves_before(*one, *oldest)))
            oldest = one;
    if (oldest != nullptr) forget(*oldest);
    return oldest != nullptr;
}

/// Its number is never given to another: the journal has it.
template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::forget(Client& client, bool by_administrator) {
    administration_.errands += by_administrator ? 1U : 0U;
    if (client.directory_index != Client::k_no_place) {
        places_[client.directory_index] = {};
        if (directory_->is_by_template(client.directory_index))
            directory_->forget(client.directory_index);
    }
    known_.back()->known_index = client.known_index;
    known_[client.known_index] = known_.back();
    known_.pop_back();
    std::erase(copied_to_, &client);
    const std::unique_ptr<Client> gone = std::move(clients_[client.number() - 1]);
    hand_over({.kind = Errand::Kind::leave,
               .entry = {.participant = gone->participant, .name = gone->settings.name},
               .number = gone->number(),
               .store = std::move(gone->store),
               .ever_ordered = gone->ever_ordered,
               .by_administrator = by_administrator});
}

/// Copies are kept for sessions that have never logged on, too. Where there are no copies any more,
/// nothing of other gateways is followed.
template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::add_copied() {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].client == nullptr && directory_->settings(i).drop_copy)
            static_cast<void>(begin_arrival(i, {}));
    // Nobody trades yet: this may wait for the disk.
    while (awaits_disk()) take_arrived([](ConnectionNumber, Client*, std::string_view) {});
    context_->orders.follow_all(!copied_to_.empty());
}

}  // namespace damrak::gateway::fix
