// Parts of OuchGateway: who is let in, and whose place others get. Only its header includes them.
#pragma once

#include <charconv>

#include <fmt/format.h>

#include <damrak/gateway/ouch/detail/ouch_gateway.hpp>

namespace damrak::gateway::ouch {

// A user that the configuration does not name and that is gone makes room for another one: at once
// if it did nothing, and else after the session of its day, if strangers have used up most of what
// they may have.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::release_users() {
    const bool crowded = users_.figures().is_crowded() || participants_->figures().is_crowded();
    for (std::uint32_t user = 1; user <= orders_.highest_user() && user < links_.size(); ++user) {
        const ParticipantId participant = orders_.user(user).participant;
        if (!is_released(user, crowded) || !participants_->leave(participant, 0)) continue;
        links_[user].leaving = participant;
        ++leaving_;
    }
}

template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::is_released(std::uint32_t user, bool crowded) const {
    const OuchUser& known = orders_.user(user);
    const Link& link = links_[user];
    if (!known.id || link.leaving || link.connection != nullptr || link.opening > 0 ||
        !link.requests.empty() || known.open_orders > 0 || known.tokens > 0)
        return false;
    if (!participants_->is_stranger(known.participant) ||
        participants_->has_traded(known.participant))
        return false;
    if (orders_.did_nothing(user)) return true;
    return crowded && (known.ended || orders_.messages(user).empty());
}

// Released, or refused.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_release(const Event& event) {
    for (std::uint32_t user = 1; user < links_.size(); ++user) {
        Link& link = links_[user];
        if (!link.leaving || link.leaving != event.participant) continue;
        --leaving_;
        link.leaving = {};
        if (orders_.user(user).id) continue;
        link.place.give_back();
        link.bucket.reset();
    }
}

// No answer until the command that opens the session is durable: from then on its orders are
// cancelled when the connection is lost, even if the exchange is killed.
template <class Network, class Exchange>
std::optional<session::LoginAnswer> OuchGateway<Network, Exchange>::log_in(
    Client& client, const wire::soupbin::LoginRequest& request) {
    if (!client.login) {
        // A session that is about to end is no place to begin in.
        const std::uint32_t known = orders_.find(ouch_session(request.user_text()));
        if (known != 0 && orders_.user(known).ending) return std::nullopt;
        // A follower of the journal gives its place to the same user.
        if (leaving_ > 0) return std::nullopt;
        const session::LoginAnswer answer = let_in(client, request);
        if (!answer) return answer;
        client.login = *answer;
    }
    if (!client.reads_only && link(client.user).opening > 0) return std::nullopt;
    note_due(*client.connection);
    return *client.login;
}

template <class Network, class Exchange>
session::LoginAnswer OuchGateway<Network, Exchange>::let_in(
    Client& client, const wire::soupbin::LoginRequest& request) {
    using wire::soupbin::RejectReason;
    const std::string_view user_name = request.user_text();
    client.name = user_name;
    if (user_name.empty()) return std::unexpected{RejectReason::not_authorized};
    const auto identity =
        participants_->identities().of_ouch_user(user_name, request.password_text());
    if (!identity) return std::unexpected{RejectReason::not_authorized};
    client.id = ouch_session(user_name);
    client.participant = identity->participant;
    client.holder = identity->holder();
    client.user = orders_.find(client.id);
    client.version = config_.version;
    if (identity->version != 0)
        client.version = static_cast<session::ouch::Version>(identity->version);
    else if (client.user != 0)
        client.version = orders_.user(client.user).version;
    const bool there = choose_session(client, request.session_text()) &&
                       (request.sequence == 0 || request.sequence - 1 <= client.messages);
    if (!there || !has_place(client) || (!client.reads_only && !begin(client))) {
        client.user = 0;
        return std::unexpected{RejectReason::session_not_available};
    }
    session::SoupLogin login{
        .session = {}, .next = request.sequence != 0 ? request.sequence : client.messages + 1};
    fmt::format("{:>10}", client.session).copy(login.session.data(), login.session.size());
    client.place = orders_.messages(client.user, client.session)->place_of(login.next);
    return login;
}

// Selects the user's current session, or a past one whose messages are kept. False: another
// session.
template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::choose_session(Client& client, std::string_view wanted) {
    const bool is_known = client.user != 0;
    const OuchUser known = is_known ? orders_.user(client.user) : OuchUser{};
    const std::uint64_t had = is_known ? orders_.messages(client.user).next() - 1 : 0;
    const bool begins = is_known && (known.ended || known.version != client.version);
    client.session = known.session + (begins ? 1U : 0U);
    client.messages = begins ? 0 : had;
    client.reads_only = !wanted.empty() && wanted != fmt::to_string(client.session);
    if (!client.reads_only) return true;
    const auto* const end = wanted.data() + wanted.size();
    const auto parsed = std::from_chars(wanted.data(), end, client.session);
    if (!is_known || parsed.ec != std::errc{} || parsed.ptr != end) return false;
    const auto* const kept = orders_.messages(client.user, client.session);
    if (kept == nullptr) return false;
    client.messages = kept->next() - 1;
    return true;
}

template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::has_place(Client& client) {
    const auto settled = tcp_.settle(*client.connection, client.holder);
    if (!settled) refuse(client, "another connection", settled.error());
    return settled.has_value();
}

// Closes its connection after the answer to its login.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::refuse(Client& client, std::string_view what,
                                            budget::Refusal why) {
    client.trouble = fmt::format("there is no room for {}: {}", what, budget::text(why));
    client.cause = session::EndCause::no_room;
}

// Logs the user in. False: no room for another user.
template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::begin(Client& client) {
    const budget::Who who{.identity = client.holder, .host = tcp_.host_of(*client.connection)};
    budget::Row::Place place;
    if (client.user == 0) {
        auto taken = users_.take(who);
        if (!taken) {
            refuse(client, "another user", taken.error());
            return false;
        }
        place = *std::move(taken);
    }
    // A user has one connection: a later login ends the earlier one.
    if (client.user != 0)
        if (Connection* const earlier = link(client.user).connection) {
            earlier->client->trouble = "its user logged in again";
            earlier->client->cause = session::EndCause::replaced;
            tcp_.end(*earlier, earlier->client->trouble);
        }
    // Orders do not change hands: a user with open orders stays the same participant.
    const OuchUser known = client.user == 0 ? OuchUser{} : orders_.user(client.user);
    if (known.participant && (!client.participant || known.open_orders > 0))
        client.participant = known.participant;
    participants_->come_back(client.participant);
    if (!client.participant) client.participant = participants_->take(who);
    if (!client.participant) {
        client.trouble = "there are no participants left for another user";
        client.cause = session::EndCause::no_room;
        return false;
    }
    if (client.holder == k_own_clients) participants_->note_own(client.participant);
    Command opened{};
    opened.kind = CommandKind::session_opened;
    opened.participant = client.participant;
    if (config_.cancel_on_disconnect) opened.flags = CommandFlags::k_cancel_on_disconnect;
    const Origin origin{.session = client.id, .tag = OuchTag{.version = client.version}.tag()};
    orders_.note_record(opened, origin);
    client.user = orders_.find(client.id);
    Link& own = link(client.user);
    own.connection = client.connection;
    if (place) own.place = std::move(place);
    if (!own.bucket) own.bucket.emplace(config_.messages_per_second, config_.burst_messages);
    ++own.opening;
    submit(opened, origin);
    return true;
}

}  // namespace damrak::gateway::ouch
