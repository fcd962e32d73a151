// What an administrator asks of the sessions, done on the thread of the gateways. Part of
// session_table.hpp.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/gateway/fix/session_table.hpp>

namespace damrak::gateway::fix {

template <class Exchange, class Store>
FixSessionState FixSessionTable<Exchange, Store>::state_of(const Client& client) const {
    using Connection = FixSessionState::Connection;
    Connection connection = Connection::none;
    if (client.session.logging_out()) {
        connection = Connection::logging_out;
    } else if (client.session.logged_on()) {
        connection = Connection::logged_on;
    } else if (client.session.connected()) {
        connection = Connection::logging_on;
    }
    return {.name = client.name(),
            .participant = client.participant,
            .connection = connection,
            .next_outgoing = client.session.next_outgoing(),
            .next_incoming = client.session.next_incoming(),
            .has_gap = client.session.has_gap(),
            .is_resending = client.session.is_resending()};
}

template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::administer(Timestamp now) {
    context_->now = now;
    admin_.answer([this](const FixAdminRequest& request, FixAdminAnswer& answer) {
        if (request.action != FixAdminAction::list) {
            const bool is_done = administer_one(request, answer);
            if (is_done) administration_ = {};
            return is_done;
        }
        answer.unknown_sessions = unnamed_.figures().used;
        answer.counters = context_->tools.counters;
        for (const Client* const client : known_) answer.sessions.push_back(state_of(*client));
        for (std::size_t i = 0; i < directory_->size(); ++i) {
            if (!directory_->is_known(i) || (i < places_.size() && places_[i].client != nullptr))
                continue;
            const SharedSettings settings = directory_->shared_settings(i);
            if (std::ranges::find(removed_, settings->name) != removed_.end()) continue;
            answer.sessions.push_back({.name = {settings, &settings->name},
                                       .connection = FixSessionState::Connection::never});
        }
        return true;
    });
}

template <class Exchange, class Store>
std::size_t FixSessionTable<Exchange, Store>::place_of(
    const session::fix::SessionName& name) const {
    for (std::size_t i = 0; i < directory_->size(); ++i)
        if (directory_->is_known(i) && directory_->settings(i).name == name) return i;
    return Client::k_no_place;
}

template <class Exchange, class Store>
auto FixSessionTable<Exchange, Store>::client_named(const session::fix::SessionName& name) const
    -> Client* {
    const auto found = std::ranges::find(
        known_, name, [](const Client* one) -> const auto& { return one->settings.name; });
    return found == known_.end() ? nullptr : *found;
}

/// False: it takes longer, and is to be asked for again.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::administer_one(const FixAdminRequest& request,
                                                      FixAdminAnswer& answer) {
    if (context_->stopped) {
        answer = {.outcome = FixAdminAnswer::Outcome::unavailable,
                  .trouble = "trading has stopped"};
        return true;
    }
    if (request.action == FixAdminAction::add) return add_one(request, answer);
    if (request.action == FixAdminAction::remove) return remove_one(request, answer);
    return change_one(request, answer);
}

template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::change_one(const FixAdminRequest& request,
                                                  FixAdminAnswer& answer) {
    Client* client = client_named(*request.session);
    // One that is configured begins to exist with this.
    if (const std::size_t place = place_of(*request.session);
        client == nullptr && place != Client::k_no_place) {
        if (places_.size() <= place) places_.resize(place + 1);
        const bool is_begun = std::exchange(administration_.begun, true);
        if (!places_[place].arriving && !is_begun && !begin_arrival(place, {}))
            places_[place].trouble = "there is no room for another session";
        if (places_[place].arriving) return false;
        client = places_[place].client;
        answer.trouble = places_[place].trouble;
    }
    if (client == nullptr) {
        answer.outcome = FixAdminAnswer::Outcome::impossible;
        if (answer.trouble.empty()) answer.trouble = "this session was forgotten meanwhile";
        return true;
    }
    // A day that has begun meanwhile resets the numbers before they are looked at.
    client->session.on_time(context_->now);
    answer.trouble = obstacle_to(request, *client);
    if (!answer.trouble.empty()) {
        answer.outcome = FixAdminAnswer::Outcome::impossible;
        return true;
    }
    switch (request.action) {
        case FixAdminAction::disconnect:
            client->session.logout("Disconnected by an administrator", context_->now);
            break;
        case FixAdminAction::set_numbers:
            if (const auto next = request.numbers.next_outgoing)
                client->session.set_next_outgoing(*next, context_->now);
            if (const auto next = request.numbers.next_incoming)
                client->session.set_next_incoming(*next, context_->now);
            break;
        case FixAdminAction::reset:
            client->session.reset(context_->now);
            break;
        case FixAdminAction::connect:
        case FixAdminAction::list:
        case FixAdminAction::add:
        case FixAdminAction::remove:
            break;
    }
    context_->touch(*client);
    answer.sessions.push_back(state_of(*client));
    return true;
}

/// With the settings of the configuration that fit, else those that it has by default.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::add_one(const FixAdminRequest& request,
                                               FixAdminAnswer& answer) {
    const session::fix::SessionName& name = *request.session;
    if (!std::exchange(administration_.begun, true)) {
        auto settings = settings_for(name).value_or(Settings{});
        settings.name = name;
        auto sound = session::fix::checked(std::move(settings));
        if (!sound) administration_.trouble = sound.error();
        if (name.sender_comp_id != config_.comp_id && !settings_for(name))
            administration_.trouble = fmt::format("the comp id of this exchange is {}, not {}",
                                                  config_.comp_id, name.sender_comp_id);
        const bool is_there = place_of(name) != Client::k_no_place;
        if (!is_there && directory_->is_full())
            administration_.trouble = "there are as many sessions as maximum_sessions allows";
        if (administration_.trouble.empty()) {
            static_cast<void>(directory_->add(*std::move(sound), false));
            places_.resize(directory_->size());
            if (Client* const client = client_named(name); client != nullptr) {
                client->place.give_back();
                client->directory_index = place_of(name);
                places_[client->directory_index].client = client;
            }
            std::erase(removed_, name);
            if (std::ranges::find(added_, name) == added_.end()) added_.push_back(name);
            ++administration_.errands;
            hand_over({.kind = Errand::Kind::add,
                       .entry = {.participant = {}, .name = name},
                       .by_administrator = true});
        }
    }
    if (administration_.errands > 0) return false;
    answer.trouble = administration_.trouble;
    if (!answer.trouble.empty()) {
        answer.outcome = FixAdminAnswer::Outcome::impossible;
    } else if (const Client* const client = client_named(name)) {
        answer.sessions.push_back(state_of(*client));
    } else {
        answer.sessions.push_back(
            {.name = request.session, .connection = FixSessionState::Connection::never});
    }
    return true;
}

/// Logs it out, cancels what is open of it, and then has it forgotten.
template <class Exchange, class Store>
bool FixSessionTable<Exchange, Store>::remove_one(const FixAdminRequest& request,
                                                  FixAdminAnswer& answer) {
    const session::fix::SessionName& name = *request.session;
    if (!std::exchange(administration_.begun, true)) {
        std::erase(added_, name);
        if (std::ranges::find(removed_, name) == removed_.end()) removed_.push_back(name);
        ++administration_.errands;
        hand_over({.kind = Errand::Kind::remove,
                   .entry = {.participant = {}, .name = name},
                   .by_administrator = true});
    }
    const std::size_t place = place_of(name);
    if (place < places_.size() && places_[place].arriving) return false;
    if (Client* const client = client_named(name); client != nullptr) {
        if (client->session.connected()) {
            client->session.logout("Removed by an administrator", context_->now);
            context_->touch(*client);
        } else if (may_be_forgotten(*client)) {
            forget(*client, true);
        } else if (client->pending == 0 && !client->touched) {
            cancel_orders_of(*client);
        }
        return false;
    }
    if (administration_.errands > 0) return false;
    answer.trouble = administration_.trouble;
    if (!answer.trouble.empty()) answer.outcome = FixAdminAnswer::Outcome::impossible;
    return true;
}

/// By the exchange; some of them, so that the others have their turn.
template <class Exchange, class Store>
void FixSessionTable<Exchange, Store>::cancel_orders_of(Client& client) {
    constexpr std::size_t k_most = 64;
    std::vector<OrderId> open;
    std::uint32_t i = context_->orders.first_open(client.participant);
    for (; i != 0 && open.size() < k_most; i = context_->orders.at(i).next)
        if (context_->orders.at(i).member == client.number())
            open.push_back(context_->orders.at(i).id);
    for (const OrderId id : open) {
        const FixOrder* const order = context_->orders.find(id);
        if (order == nullptr || context_->stopped) continue;
        Command cancel{};
        cancel.kind = CommandKind::cancel_order;
        cancel.participant = order->participant;
        cancel.instrument = order->instrument;
        cancel.order_id = id;
        context_->submit(client, cancel, {.session = client.id});
    }
}

/// Why it cannot be done now; empty: it can.
template <class Exchange, class Store>
std::string FixSessionTable<Exchange, Store>::obstacle_to(const FixAdminRequest& request,
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
            if (client.settings.name.begin_string < fix_codec::BeginString::fix41)
                return fmt::format(
                    "{} is logged on, and FIX.4.0 knows no reset within a session: disconnect it "
                    "first",
                    name);
            return {};
        case FixAdminAction::list:
        case FixAdminAction::add:
        case FixAdminAction::remove:
            break;
    }
    return {};
}

}  // namespace damrak::gateway::fix
