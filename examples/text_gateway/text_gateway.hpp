// A gateway for people: orders as lines of text over TCP. Telnet is a client.
//
//   LOGIN [key]             WELCOME participant
//   BUY AAPL 100 @ 10.50    ACCEPTED 17, TRADED 17 100 @ 10.50, left 0, REJECTED why
//   CANCEL AAPL 17          CANCELED 17
//   anything else           ERROR and what would be right
//
// A participant hears of all its orders in its latest login, also of those of earlier ones and from
// before a restart. docs/how-to/add-a-gateway.md explains the code.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/decimal_text.hpp>
#include <damrak/domain/make_command.hpp>
#include <damrak/domain/price_text.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/gateway/gateway_making.hpp>
#include <damrak/gateway/over_tcp.hpp>
#include <damrak/wire/binary/api_key.hpp>

namespace text_gateway {

using namespace damrak;  // NOLINT(google-global-names-in-headers): of an example

template <class Network, class Exchange>
class TextGateway : public gateway::OverTcp<Network, TextGateway<Network, Exchange>> {
    using Tcp = gateway::OverTcp<Network, TextGateway>;
    using Tcp::tcp_;

  public:
    /// Journals have it. Damrak's own gateways count from 0, others from 128.
    static constexpr GatewayNumber k_gateway{128};
    static constexpr std::string_view k_name = "text";
    struct Setup {
        gateway::TcpGatewayConfig tcp{};
        Network network;
        bool open = true;
    };

    TextGateway(Setup setup, const gateway::House& house)
        : Tcp(std::move(setup.tcp), *this, std::move(setup.network)),
          participants_(&house.participants),
          probe_(&house.probe),
          most_instruments_(house.engine.maximum_instruments) {}

    // Of a gateway, see damrak/gateway/gateway.hpp. OverTcp has the rest.
    [[nodiscard]] bool stopped() const { return stopped_; }
    void attach(Exchange& exchange) {
        exchange_ = &exchange;
        for (std::uint32_t id = 1; id <= most_instruments_; ++id) note_instrument({id});
        // No two sessions of a journal have the same number: they count from the microsecond.
        last_session_ = session_at(k_gateway, static_cast<std::uint64_t>(tcp_.now().value) / 1'000);
    }

    void on_event(const Event& event, const Origin& origin, const CommandStamp& /*stamp*/) {
        if (event.kind == EventKind::instrument_added) return note_instrument(event.instrument);
        if (Connection* const asker = find(sessions_, origin.session);
            asker != nullptr && event.kind == EventKind::rejected)
            return say(*asker, "REJECTED {}\n", damrak::text(event.reason));
        const bool trades = event.kind == EventKind::executed;
        const bool ends = event.kind == EventKind::cancelled || event.kind == EventKind::expired;
        if (Connection* const owner = find(logins_, event.participant)) {
            const std::uint64_t order = event.order_id.value;
            if (event.kind == EventKind::accepted) say(*owner, "ACCEPTED {}\n", order);
            if (trades)
                say(*owner, "TRADED {} {} @ {}, left {}\n", order, event.quantity.value,
                    price_of(event), event.remaining.value);
            if (ends) say(*owner, "CANCELED {}\n", order);
        }
        // Perhaps the last order of one without a key who has left: it may be given to others.
        if ((trades || ends) && event.remaining == Quantity{})
            participants_->note_closed(event.participant);
    }
    void on_command_end(const Origin& origin) {
        if (Connection* const asker = find(sessions_, origin.session)) --asker->client->pending;
    }

    // Of the owner of a TcpGateway.
    struct Client {
        SessionId session{};
        ParticipantId participant{};  ///< zero: it did not log in
        std::uint32_t pending = 0;    ///< commands whose end was not reported yet
        std::string_view end_reason{};
    };
    using Connection = typename gateway::TcpGateway<Network, TextGateway>::Connection;

    void on_opened(Connection& connection) {
        connection.client->session = {++last_session_.value};
        sessions_[connection.client->session] = &connection;
    }
    void on_read(std::size_t bytes) { probe_->on_read(bytes); }
    [[nodiscard]] session::Received on_bytes(Connection& connection,
                                             std::span<const std::byte> bytes) {
        std::string_view rest{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
        session::Received done;
        while (rest.contains('\n') && connection.client->end_reason.empty()) {
            if (done.blocked = !ready(); done.blocked) break;
            on_line(connection, rest.substr(0, rest.find('\n')));
            rest.remove_prefix(rest.find('\n') + 1);
            ++done.messages;
        }
        done.consumed_bytes = bytes.size() - rest.size();
        if (connection.room(1).empty() && done.messages == 0 && !done.blocked)
            connection.client->end_reason = "a line is too long";
        return done;
    }
    [[nodiscard]] bool ready() const { return !stopped_ && exchange_->ready(); }
    [[nodiscard]] bool may_end(const Connection& connection) const {
        return connection.client->pending == 0;
    }
    [[nodiscard]] std::optional<std::string_view> end_reason(const Connection& connection) const {
        if (connection.client->end_reason.empty()) return std::nullopt;
        return connection.client->end_reason;
    }
    void on_silent(Connection& connection) {
        connection.client->end_reason = "it was silent for too long";
        tcp_.queue_write(connection);
    }
    void on_ended(Connection& connection, std::string_view /*reason*/) {
        const Client client = *connection.client;
        if (client.participant) submit(connection, CommandKind::session_closed);
        sessions_.erase(client.session);
        if (find(logins_, client.participant) == &connection) logins_.erase(client.participant);
        if (client.participant) participants_->leave(client.participant, 0);
    }

  private:
    [[nodiscard]] std::string price_of(const Event& event) const {
        return price_text(event.price, *exchange_->definition(event.instrument));
    }
    template <class Id>
    [[nodiscard]] static Connection* find(const std::map<Id, Connection*>& table, Id id) {
        return table.contains(id) ? table.at(id) : nullptr;
    }
    void note_instrument(InstrumentId id) {
        if (const auto* const known = exchange_->definition(id))
            instruments_[std::string{known->symbol.view()}] = id;
    }

    void on_line(Connection& connection, std::string_view line) {
        std::array<std::string_view, 6> words;
        std::size_t count = 0;
        for (const auto& part : std::views::split(line, ' '))
            if (std::string_view word{part}; !word.empty() && word != "\r" && count < words.size())
                words.at(count++) = word.ends_with('\r') ? word.substr(0, word.size() - 1) : word;
        const auto& [verb, symbol, amount, at, price, more] = words;
        if (verb == "LOGIN" && count <= 2) return log_in(connection, symbol);
        const bool buys = verb == "BUY";
        const bool is_order = (buys || verb == "SELL") && count == 5 && at == "@";
        if (!is_order && (verb != "CANCEL" || count != 3))
            return say(connection,
                       "ERROR write LOGIN, LOGIN key, BUY AAPL 100 @ 10.50, SELL AAPL "
                       "100 @ 10.50 or CANCEL AAPL 17\n");
        if (!connection.client->participant) return say(connection, "ERROR write LOGIN first\n");
        const auto instrument = instruments_.find(symbol);
        if (instrument == instruments_.end())
            return say(connection, "ERROR there is no instrument {}\n", symbol);
        const std::int64_t number = parse_decimal(amount, 0).value_or(0);
        if (number <= 0) return say(connection, "ERROR {} is no number above zero\n", amount);
        const InstrumentDefinition& definition = *exchange_->definition(instrument->second);
        if (!is_order)
            return submit(connection,
                          cancel_order({.instrument = definition.id,
                                        .order_id{static_cast<std::uint64_t>(number)}}));
        const std::optional<Price> limit = parse_price(price, definition);
        if (!limit) return say(connection, "ERROR {} is no price of this instrument\n", price);
        submit(connection, limit_order({.instrument = definition.id,
                                        .side = buys ? Side::buy : Side::sell,
                                        .price = *limit,
                                        .quantity{number}}));
    }
    void log_in(Connection& connection, std::string_view text) {
        Client& client = *connection.client;
        if (client.participant) return say(connection, "ERROR this connection is logged in\n");
        const auto key = wire::binary::parse_api_key(text);
        const gateway::Identities& identities = participants_->identities();
        const auto known = key ? identities.of_key(*key) : identities.of_nobody();
        if (!known) return say(connection, "ERROR no participant has this key\n");
        if (!tcp_.settle(connection, *known)) return say(connection, "ERROR no room; try later\n");
        client.participant = *known ? *known : participants_->take(tcp_.host_of(connection));
        if (!client.participant) return say(connection, "ERROR all places are taken; try later\n");
        logins_[client.participant] = &connection;
        say(connection, "WELCOME {}\n", client.participant.value);
        submit(connection, CommandKind::session_opened);
    }
    void submit(Connection& connection, CommandKind of_session) {
        Command command{};
        command.kind = of_session;
        submit(connection, command);
    }
    void submit(Connection& connection, Command command) {
        Client& client = *connection.client;
        command.participant = client.participant;
        ++client.pending;  // before: where matching is inside submit(), all is reported within
        stopped_ |= !exchange_->submit(command, {.session = client.session}, tcp_.time());
    }

    /// Into the connection's buffer: it is sent at the end of the turn, once the journal has it.
    template <class... Arguments>
    void say(Connection& connection, fmt::format_string<Arguments...> format,
             Arguments&&... arguments) {
        std::array<char, 200> line;
        const auto made = fmt::format_to_n(line.data(), line.size(), format,
                                           std::forward<Arguments>(arguments)...);
        const auto bytes = std::as_bytes(std::span{line}.first(std::min(made.size, line.size())));
        const std::span<std::byte> room = connection.output->extend(bytes.size());
        if (room.empty()) connection.client->end_reason = "it does not read its answers";
        std::copy_n(bytes.begin(), room.size(), room.begin());
        tcp_.queue_write(connection);
    }

    gateway::Participants* participants_;
    telemetry::Probe* probe_;
    std::uint32_t most_instruments_;
    Exchange* exchange_ = nullptr;
    SessionId last_session_{};
    std::map<std::string, InstrumentId, std::less<>> instruments_;
    std::map<SessionId, Connection*> sessions_;
    std::map<ParticipantId, Connection*> logins_;  ///< the latest of each
    bool stopped_ = false;
};

template <class Network, class Exchange>
auto setup_for(std::type_identity<TextGateway<Network, Exchange>> /*gateway*/,
               const gateway::GatewayMaking& from) {
    const auto port = from.settings.port("text");
    return std::optional{typename TextGateway<Network, Exchange>::Setup{
        .tcp = {.address = from.settings.numeric_address, .port = port.value_or(0)},
        .network = {},
        .open = port.has_value()}};
}

}  // namespace text_gateway
