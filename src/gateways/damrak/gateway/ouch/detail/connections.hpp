// Parts of OuchGateway: connections. Only its header includes them.
#pragma once

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <damrak/gateway/ouch/detail/ouch_gateway.hpp>

namespace damrak::gateway::ouch {

// The gateway's data of a connection.
template <class Network, class Exchange>
struct OuchGateway<Network, Exchange>::Client {
    Connection* connection = nullptr;
    std::optional<session::SoupServer> server;
    // Set at the login:
    SessionId id{};
    session::ouch::Version version{};
    ParticipantId participant{};
    ParticipantId holder{};      ///< of the places that it takes; zero: a stranger
    std::uint32_t user = 0;      ///< zero: not logged in
    std::uint32_t session = 0;   ///< of its messages; a later one is for another login
    std::uint64_t messages = 0;  ///< messages of the session at the login
    session::ouch::MessageStream::Place place;
    std::optional<session::SoupLogin> login{};  ///< its answer, while its login waits
    bool reads_only = false;                    ///< it reads an ended session
    bool queued = false;                        ///< in due_
    std::string trouble;                        ///< why it will be closed
    session::EndCause cause{};                  ///< of `trouble`
    std::string name{};                         ///< of its user, as it logged in
};

template <class Network, class Exchange>
OuchGateway<Network, Exchange>::OuchGateway(Setup setup, const House& house)
    : Tcp({.address = setup.config.address,
           .port = setup.config.port,
           .maximum_connections = setup.config.maximum_connections,
           .output_bytes = setup.config.output_bytes},
          *this, std::move(setup.network)),
      config_(std::move(setup.config)),
      orders_(house.engine),
      quotas_(config_.most_message_bytes),
      most_instruments_(house.engine.maximum_instruments),
      participants_(&house.participants),
      probe_(&house.probe) {
    orders_.limit_bytes(config_.most_message_bytes);
    if (setup.open) orders_.reserve();
}

template <class Network, class Exchange>
OuchGateway<Network, Exchange>::~OuchGateway() = default;

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::attach(Exchange& exchange) {
    static_assert(ExchangeSide<Exchange>);
    exchange_ = &exchange;
    for (std::uint32_t id = 1; id <= most_instruments_; ++id) note_instrument({id});
    for (std::uint32_t user = 1; user <= orders_.highest_user(); ++user) {
        const ParticipantId id = orders_.user(user).participant;
        if (!orders_.user(user).id) continue;
        link(user).place = users_.take_again(
            {.identity = participants_->is_named(id) ? id : ParticipantId{}, .host = {}});
    }
    quotas_.look(orders_, *participants_);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::note_instrument(InstrumentId id) {
    const InstrumentDefinition* const known = exchange_->definition(id);
    if (known == nullptr || known->minimum_price().value < 0) return;
    instruments_[std::string{known->symbol.view()}] = id;
    orders_.note_instrument(id, known->price_decimals);
}

template <class Network, class Exchange>
auto OuchGateway<Network, Exchange>::link(std::uint32_t user) -> Link& {
    if (links_.size() <= user) links_.resize(std::size_t{user} + 1);
    return links_[user];
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_opened(Connection& connection) {
    Client& client = *connection.client;
    client.connection = &connection;
    client.server.emplace(config_.soup, *connection.output, tcp_.now());
}

template <class Network, class Exchange>
session::Received OuchGateway<Network, Exchange>::on_bytes(Connection& connection,
                                                           std::span<const std::byte> bytes) {
    struct Owner {
        OuchGateway& gateway;
        Client& client;
        std::optional<session::LoginAnswer> on_login(const wire::soupbin::LoginRequest& request) {
            return gateway.log_in(client, request);
        }
        bool on_message(std::span<const std::byte> message) {
            return gateway.on_message(client, message);
        }
    };
    // A login is a command: it waits for the exchange like any other, twice.
    if (!connection.client->server->is_logged_in() && !ready()) return {.blocked = true};
    const session::Received done =
        connection.client->server->on_bytes(bytes, time(), Owner{*this, *connection.client});
    tcp_.queue_write(connection);
    return done;
}

template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::may_end(const Connection& connection) const {
    const Client& client = *connection.client;
    return client.user == 0 || client.user >= links_.size() || links_[client.user].requests.empty();
}

template <class Network, class Exchange>
std::optional<std::string_view> OuchGateway<Network, Exchange>::end_reason(
    const Connection& connection) const {
    const Client& client = *connection.client;
    if (!client.trouble.empty()) return client.trouble;
    return client.server->end_reason();
}

// Sent in the next turn: a client that is behind gets messages as fast as it reads.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_written(Connection& connection,
                                                std::span<const std::byte> /*offered*/,
                                                std::size_t sent) {
    const Client& client = *connection.client;
    if (sent > 0 && client.user != 0 && !at_end(client)) note_due(connection);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::note_due(Connection& connection) {
    if (!std::exchange(connection.client->queued, true)) due_.push_back(&connection);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_ended(Connection& connection, std::string_view reason) {
    tell_end(connection, reason);
    Client& client = *connection.client;
    std::erase(due_, &connection);
    if (client.user == 0) return;
    Link& own = link(client.user);
    if (own.connection != &connection) return;
    own.connection = nullptr;
    const bool left = client.server->logged_out();
    end_session(client, left ? config_.cancel_on_logout : config_.cancel_on_disconnect);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::tell_end(Connection& connection, std::string_view reason) {
    Client& client = *connection.client;
    session::EndCause cause = client.trouble.empty() ? client.server->end_cause() : client.cause;
    const bool made_room =
        cause == session::EndCause::regular && !reason.empty() && connection.place.is_waiting();
    if (made_room) cause = session::EndCause::no_room;
    if (cause == session::EndCause::regular) return;
    client.server->say_why(reason);
    ended_.count(cause);
    if (config_.on_end)
        config_.on_end(fmt::format("{} from {} ended: {}",
                                   client.name.empty() ? "a client" : client.name,
                                   telemetry::text(tcp_.peer_of(connection)), reason));
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_no_room(std::string_view what) {
    ended_.count(session::EndCause::no_room);
    if (config_.on_end) config_.on_end(what);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::end_session(Client& client, bool cancels) {
    if (client.reads_only || stopped_) return;
    Command command{};
    command.participant = client.participant;
    const Origin origin{.session = client.id};
    if (cancels) {
        command.kind = CommandKind::mass_cancel;
        command.flags = CommandFlags::k_both_sides;
        submit(command, origin);
        command.flags = 0;
    }
    command.kind = CommandKind::session_closed;
    submit(command, origin);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::poll_client(Connection& connection, Timestamp now) {
    Client& client = *connection.client;
    client.queued = false;
    if (client.server->is_logged_in()) {
        send_messages(client, now);
        if (has_ended(client) && at_end(client)) client.server->end_session();
    }
    client.server->on_time(now);
    tcp_.queue_write(connection);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_turn_end(Timestamp now, Exchange& /*exchange*/) {
    for (const auto& [user, token] : std::exchange(to_cancel_, {}))
        if (const auto* const order = orders_.find(user, token)) cancel(user, *order);
    if (orders_.withdrawn().size() > entering_.size() && ready()) enter_withdrawn();
    if (day_over_) begin_ends();
    for (; !ends_.empty() && ready(); ends_.pop_front()) submit_end(ends_.front());
    if (now >= next_round_ && tcp_.connections() > 0) {
        next_round_ = {now.value + std::int64_t{k_round_ms} * 1'000'000};
        quotas_.look(orders_, *participants_);
        release_users();
        tcp_.for_each([&](Connection& connection) { poll_client(connection, now); });
        due_.clear();
        return;
    }
    // poll_client() adds nothing to due_; later reports go into the next turn.
    for (Connection* const connection : due_) poll_client(*connection, now);
    due_.clear();
}

template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::has_ended(const Client& client) const {
    const OuchUser& user = orders_.user(client.user);
    return user.session != client.session || user.ended;
}

// No message is there that it was not sent.
template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::at_end(const Client& client) const {
    const auto* const messages = orders_.messages(client.user, client.session);
    return messages != nullptr && client.place.number == messages->next();
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::send_messages(Client& client, Timestamp now) {
    constexpr std::size_t k_time_offset = session::ouch::MessageStream::k_header + 1;
    const auto* const kept = orders_.messages(client.user, client.session);
    if (kept == nullptr) {
        client.trouble = "the messages of its session are no longer kept";
        client.cause = session::EndCause::limit;
        return;
    }
    const auto& messages = *kept;
    std::array<std::byte, session::ouch::MessageStream::k_header + wire::ouch::k_longest_message>
        copy;
    for (auto frame = messages.at(client.place); !frame.empty();
         frame = messages.at(client.place)) {
        std::ranges::copy(frame, copy.begin());
        store_be(copy.data() + k_time_offset,
                 time_of_day(load_be<std::uint64_t>(frame.data() + k_time_offset)));
        if (client.server->send_frames(std::span{copy}.first(frame.size()), now) == 0) return;
        messages.skip(client.place);
    }
}

template <class Network, class Exchange>
std::uint64_t OuchGateway<Network, Exchange>::time_of_day(std::uint64_t time_ns) {
    constexpr std::int64_t k_surely_same_day = std::int64_t{22} * 3'600 * 1'000'000'000;
    const auto at = static_cast<std::int64_t>(time_ns);
    if (config_.midnight_before &&
        (at < midnight_.value || at - midnight_.value >= k_surely_same_day))
        midnight_ = config_.midnight_before({at});
    return static_cast<std::uint64_t>(at - midnight_.value);
}

}  // namespace damrak::gateway::ouch
