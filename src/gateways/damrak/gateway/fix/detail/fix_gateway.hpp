// Parts of FixGateway; included by its header alone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/system_time.hpp>
#include <damrak/gateway/fix/detail/text.hpp>
#include <damrak/gateway/fix/fix_gateway.hpp>
#include <damrak/gateway/fix/settings.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/net/tls.hpp>

namespace damrak::gateway::fix {

// What the gateway keeps of a connection.
template <class Network, class Exchange, class Store>
struct FixGateway<Network, Exchange, Store>::Client {
    typename Application::Client* counterparty = nullptr;  ///< once it is known who that is
    std::string_view refusal{};                            ///< why that will never be known
    bool awaited = false;                                  ///< its session is being made,
    std::size_t place = 0;                                 ///< here
    bool sent_logon = false;
};

template <class Network, class Exchange, class Store>
FixGateway<Network, Exchange, Store>::FixGateway(Setup setup, const House& house)
    : config_(std::move(setup.config)),
      application_(std::move(setup.application), house.engine, house.participants,
                   std::move(setup.storing)),
      gateway_({.address = config_.address,
                .port = config_.port,
                .maximum_connections = config_.maximum_connections,
                .read_bytes = config_.read_bytes,
                .input_bytes = config_.input_bytes,
                .output_bytes = config_.output_bytes,
                .silence_ns = config_.logon_timeout_ns},
               *this, std::move(setup.network)),
      open_(setup.open),
      stores_(std::move(setup.stores)) {
    application_.measure(house.probe);
}

template <class Network, class Exchange, class Store>
FixGateway<Network, Exchange, Store>::~FixGateway() {
    if (stores_) stores_->keep_no_more();
}

// Where there never were clients, and none are to come, there is nothing to open.
template <class Network, class Exchange, class Store>
std::expected<void, std::string> FixGateway<Network, Exchange, Store>::open_files() {
    if (!stores_ || (!open_ && !std::filesystem::exists(stores_->folder()))) return {};
    auto opened = open_application(journal::real_files(), Timestamp{system_time_ns()});
    if (opened) stores_->start([this] { return application_.sessions().work_aside(); });
    return opened;
}

template <class Network, class Exchange, class Store>
std::expected<void, std::string> FixGateway<Network, Exchange, Store>::use_certificates(
    const Settings& settings) {
    const net::TlsFiles& files = settings.of<FixSettings>().tls;
    if (files.certificate.empty()) return {};
    auto context = net::TlsContext::acceptor(files);
    if (!context) return std::unexpected{std::move(context.error())};
    gateway_.network().use(*std::move(context));
    return {};
}

// Clients have reports of records that the journal lacks: a new journal would contradict them.
template <class Network, class Exchange, class Store>
std::expected<void, std::string> FixGateway<Network, Exchange, Store>::check_new_journal(
    const std::filesystem::path& data) const {
    const std::uint64_t told = reported_position();
    if (told == 0 || told == UINT64_MAX) return {};
    return std::unexpected{fmt::format(
        "{} has FIX sessions with reports up to record {}, but {} has no journal: restore "
        "its segments from a copy, or move the sessions away too to begin a new, empty journal",
        stores_->folder().string(), told, data.string())};
}

// A client that comes for the first time would get the number of a session that is missing, and
// with it the reports of its orders.
template <class Network, class Exchange, class Store>
std::expected<void, std::string> FixGateway<Network, Exchange, Store>::check_sessions(
    std::uint32_t highest) const {
    const std::size_t known = application_.sessions().numbers();
    if (highest <= known) return {};
    return std::unexpected{fmt::format(
        "{} has {} sessions, and the journal has orders of session {}: restore the file from a "
        "copy, or append the line \"gone {}\" to it, to give up the sessions that are missing",
        (stores_->folder() / k_roster_file).string(), known, highest, highest - known)};
}

template <class Network, class Exchange, class Store>
std::size_t FixGateway<Network, Exchange, Store>::poll(int wait_ms) {
    const std::size_t messages = gateway_.poll(wait_ms);
    take_arrived();
    if (application_.has_lists() && exchange_->ready()) [[unlikely]] {
        application_.set_time(time());
        application_.continue_lists();
    }
    if (time() >= timers_due_) {
        timers_due_ = {time().value + k_timers_ns};
        application_.sessions().on_time(time());
        application_.sessions().administer(time());
    }
    return messages;
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::flush() {
    application_.take_touched([this](ConnectionNumber number) { gateway_.queue_write(number); });
    gateway_.flush();
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::close() {
    application_.sessions().admin().close();
    gateway_.for_each([this](Connection& connection) {
        if (auto* const counterparty = connection.client->counterparty)
            counterparty->session.logout("the exchange closes", gateway_.now());
    });
    gateway_.close();
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::on_read(std::size_t bytes) {
    if (application_.probe() != nullptr) application_.probe()->on_read(bytes);
}

template <class Network, class Exchange, class Store>
session::Received FixGateway<Network, Exchange, Store>::on_bytes(Connection& connection,
                                                                 std::span<const std::byte> bytes) {
    Client& client = *connection.client;
    if (client.counterparty == nullptr && !client.awaited) admit(connection, bytes);
    if (client.counterparty == nullptr) return {};
    if (!exchange_->ready()) return {.consumed_bytes = 0, .messages = 0, .blocked = true};
    application_.set_time(time());
    const session::Received done = client.counterparty->session.receive(bytes, time());
    if (!client.sent_logon && client.counterparty->session.logged_on()) [[unlikely]] {
        client.sent_logon = true;
        tell_news(connection, "logged on", false);
    }
    const bool stuck = connection.room(1).empty() && done.consumed_bytes == 0 && !done.blocked;
    if (stuck) client.refusal = "a message is too long";
    return done;
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::admit(Connection& connection,
                                                 std::span<const std::byte> bytes) {
    Client& client = *connection.client;
    const auto admitted = application_.sessions().admit(
        bytes, *connection.output, comer(connection),
        [&](ParticipantId identity) { return gateway_.settle(connection, identity); });
    client.refusal = admitted.why;
    client.awaited = admitted.awaited;
    client.place = admitted.place;
    if (!client.refusal.empty() && config_.on_news)
        sender_ = application_.sessions().describe_sender(bytes);
    // It has said who it is: from here on it waits for us.
    if (client.awaited) gateway_.forget_activity(connection);
    if (admitted.client != nullptr) let_in(connection, *admitted.client);
}

/// Those whose sessions begin to exist only now.
template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::take_arrived() {
    application_.sessions().take_arrived([this](ConnectionNumber number,
                                                typename Application::Client* counterparty,
                                                std::string_view why) {
        Connection& connection = gateway_.at(number);
        Client& client = *connection.client;
        client.awaited = false;
        if (counterparty != nullptr) {
            let_in(connection, *counterparty);
            return gateway_.look_again(connection);
        }
        client.refusal = why;
        if (config_.on_news) sender_ = application_.sessions().describe_sender(connection.bytes());
        auto& sessions = application_.sessions();
        sessions.say_farewell(connection.bytes(), *connection.output, sessions.k_cannot_be_kept);
        gateway_.queue_write(connection);
    });
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::let_in(Connection& connection,
                                                  typename Application::Client& counterparty) {
    connection.client->counterparty = &counterparty;
    gateway_.forget_activity(connection);
    if (telemetry::Probe* const probe = application_.probe())
        probe->on_opened(counterparty.id,
                         probe->logging() ? gateway_.peer_of(connection) : telemetry::Peer{},
                         time());
    application_.sessions().connect(counterparty, *connection.output, comer(connection));
}

template <class Network, class Exchange, class Store>
bool FixGateway<Network, Exchange, Store>::may_end(const Connection& connection) const {
    const Client& client = *connection.client;
    if (client.awaited) return false;
    return client.counterparty == nullptr || client.counterparty->pending == 0;
}

template <class Network, class Exchange, class Store>
std::optional<std::string_view> FixGateway<Network, Exchange, Store>::end_reason(
    const Connection& connection) const {
    using session::fix::Ended;
    const Client& client = *connection.client;
    if (!client.refusal.empty()) return client.refusal;
    if (client.counterparty == nullptr) return std::nullopt;
    const Ended ended = client.counterparty->session.ended();
    if (ended == Ended::no) return std::nullopt;
    return ended == Ended::logged_out ? std::string_view{} : text(ended);
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::on_written(Connection& connection,
                                                      std::span<const std::byte> /*offered*/,
                                                      std::size_t sent) {
    auto* const counterparty = connection.client->counterparty;
    if (application_.probe() != nullptr && counterparty != nullptr)
        application_.probe()->on_written(counterparty->id, 0, 0, sent, time(),
                                         counterparty->unwritten);
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::on_ended(Connection& connection,
                                                    std::string_view reason) {
    auto* const counterparty = connection.client->counterparty;
    if (!reason.empty() && config_.on_disconnect)
        config_.on_disconnect(
            counterparty == nullptr ? session_at(k_fix_gateway, 0) : counterparty->id, reason);
    tell_end(connection, reason);
    if (connection.client->awaited) application_.sessions().give_up(connection.client->place);
    if (counterparty == nullptr) return;
    if (application_.probe() != nullptr)
        application_.probe()->on_closed(counterparty->id, reason, gateway_.now(),
                                        counterparty->unwritten);
    application_.sessions().leave(*counterparty, gateway_.now());
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::on_no_room(std::string_view what) {
    if (config_.on_news) config_.on_news(what, true);
}

/// What it is of the connection that is known: where it comes from, and whose it is.
template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::tell_news(const Connection& connection,
                                                     std::string_view what, bool trouble) {
    if (!config_.on_news) return;
    std::string line;
    if constexpr (requires { network().peer(connection.socket); })
        line = telemetry::text(gateway_.peer_of(connection)) + ' ';
    if (const auto* const counterparty = connection.client->counterparty)
        line += text(counterparty->settings.name) + ' ';
    line += what;
    config_.on_news(line, trouble);
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::tell_end(const Connection& connection,
                                                    std::string_view reason) {
    if (!config_.on_news) return;
    const bool trouble = !reason.empty();
    const auto* const counterparty = connection.client->counterparty;
    if (counterparty == nullptr) {
        const std::string who = std::exchange(sender_, {});
        if (trouble) tell_news(connection, fmt::format("{}ended: {}", who, reason), true);
        if constexpr (requires { network().trouble(connection.socket); })
            if (const auto tls = network().trouble(connection.socket); !trouble && !tls.empty())
                tell_news(connection, fmt::format("ended: no TLS handshake: {}", tls), true);
        return;
    }
    const std::string_view details = counterparty->session.ended_text();
    tell_news(connection,
              fmt::format("ended: {}{}{}", trouble ? reason : "logged out, or connection lost",
                          details.empty() ? "" : ": ", session::fix::printable(details)),
              trouble);
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::on_silent(Connection& connection) {
    connection.client->refusal = "no Logon came";
    gateway_.queue_write(connection);
}

}  // namespace damrak::gateway::fix
