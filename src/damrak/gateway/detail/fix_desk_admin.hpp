// What an administrator asks of the sessions, done on the thread of the doors. Part of
// fix_desk.hpp.
#pragma once

#include <string>

#include <fmt/format.h>

#include <damrak/gateway/detail/fix_desk_clients.hpp>
#include <damrak/gateway/fix_desk.hpp>

namespace damrak::gateway {

template <class Exchange, class Store>
FixSessionState FixDesk<Exchange, Store>::state_of(const Client& client) const {
    using Connection = FixSessionState::Connection;
    Connection connection = Connection::none;
    if (client.session.logging_out()) {
        connection = Connection::logging_out;
    } else if (client.session.logged_on()) {
        connection = Connection::logged_on;
    } else if (client.session.connected()) {
        connection = Connection::logging_on;
    }
    return {.name = &client.settings.name,
            .participant = client.participant,
            .connection = connection,
            .next_outgoing = client.session.next_outgoing(),
            .next_incoming = client.session.next_incoming(),
            .has_gap = client.session.has_gap(),
            .is_resending = client.session.is_resending()};
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::administer(Timestamp now) {
    now_ = now;
    admin_.answer([this](const FixAdminRequest& request, FixAdminAnswer& answer) {
        if (request.action != FixAdminAction::list) return administer_one(request, answer);
        for (const auto& client : clients_) answer.sessions.push_back(state_of(*client));
        for (std::size_t i = 0; i < directory_->size(); ++i)
            if (by_directory_[i] == nullptr)
                answer.sessions.push_back({.name = &directory_->settings(i).name,
                                           .connection = FixSessionState::Connection::never});
    });
}

/// Whose session it is. One that is configured begins to exist with this.
template <class Exchange, class Store>
auto FixDesk<Exchange, Store>::administered(const session::fix::SessionName& name) -> Client* {
    for (const auto& client : clients_)
        if (&client->settings.name == &name) return client.get();
    for (std::size_t i = 0; i < directory_->size(); ++i) {
        if (&directory_->settings(i).name != &name) continue;
        if (by_directory_[i] == nullptr) by_directory_[i] = client_of(directory_->settings(i));
        return by_directory_[i];
    }
    return nullptr;
}

template <class Exchange, class Store>
void FixDesk<Exchange, Store>::administer_one(const FixAdminRequest& request,
                                              FixAdminAnswer& answer) {
    Client* const client = administered(*request.session);
    if (client == nullptr) {
        answer = {.outcome = FixAdminAnswer::Outcome::impossible,
                  .trouble = "there is no room for another session"};
        return;
    }
    // A day that has begun meanwhile resets the numbers before they are looked at.
    client->session.on_time(now_);
    answer.trouble = obstacle_to(request, *client);
    if (!answer.trouble.empty()) {
        answer.outcome = FixAdminAnswer::Outcome::impossible;
        return;
    }
    switch (request.action) {
        case FixAdminAction::disconnect:
            client->session.logout("Disconnected by an administrator", now_);
            break;
        case FixAdminAction::set_numbers:
            if (const auto next = request.numbers.next_outgoing)
                client->session.set_next_outgoing(*next, now_);
            if (const auto next = request.numbers.next_incoming)
                client->session.set_next_incoming(*next, now_);
            break;
        case FixAdminAction::reset:
            client->session.reset(now_);
            break;
        case FixAdminAction::connect:
        case FixAdminAction::list:
            break;
    }
    touch(*client);
    answer.sessions.push_back(state_of(*client));
}

/// Why it cannot be done now; empty: it can.
template <class Exchange, class Store>
std::string FixDesk<Exchange, Store>::obstacle_to(const FixAdminRequest& request,
                                                  const Client& client) const {
    const std::string name = text(client.settings.name);
    const auto& session = client.session;
    const bool settled = session.logged_on() && !session.logging_out();
    switch (request.action) {
        case FixAdminAction::connect:
            return fmt::format(
                "{} is a session that its client connects: this exchange waits for connections "
                "and makes none",
                name);
        case FixAdminAction::disconnect:
            return session.connected() ? std::string{} : fmt::format("{} is not connected", name);
        case FixAdminAction::set_numbers:
            return session.connected()
                       ? fmt::format(
                             "{} is connected, and its numbers are in use: disconnect it "
                             "first, or reset it",
                             name)
                       : std::string{};
        case FixAdminAction::reset:
            if (!session.connected()) return {};
            if (!settled) return fmt::format("{} is just logging on or out: try again", name);
            if (client.settings.name.begin_string < wire::fix::BeginString::fix41)
                return fmt::format(
                    "{} is logged on, and FIX.4.0 knows no reset within a session: disconnect it "
                    "first",
                    name);
            return {};
        case FixAdminAction::list:
            break;
    }
    return {};
}

}  // namespace damrak::gateway
