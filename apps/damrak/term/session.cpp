#include "term/session.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <poll.h>

#include <damrak/base/time_units.hpp>
#include <damrak/exchange/system_time.hpp>

#include "term/instruments.hpp"
#include "term/replay.hpp"

namespace damrak::app {

namespace {

/// The feed sends snapshots every second.
constexpr std::int64_t k_silence_ns = 3 * k_second_ns;
constexpr std::int64_t k_trades_every_ns = k_second_ns / 4;

std::string clock_text(std::int64_t now_ns) {
    const std::time_t seconds = now_ns / k_second_ns;
    std::tm local{};
    ::localtime_r(&seconds, &local);
    return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

client::TermLink::State state_of(client::OrderClient::State state) {
    switch (state) {
        case client::OrderClient::State::up:
            return client::TermLink::State::up;
        case client::OrderClient::State::waiting:
            return client::TermLink::State::waiting;
        case client::OrderClient::State::refused:
        case client::OrderClient::State::ended:
            return client::TermLink::State::refused;
        case client::OrderClient::State::connecting:
        case client::OrderClient::State::logging_in:
            break;
    }
    return client::TermLink::State::connecting;
}

}  // namespace

TermSession::TermSession(const TermSettings& settings, std::unique_ptr<client::OrderClient> link)
    : settings_(settings),
      link_(std::move(link)),
      model_(client::Symbols{}, link_->gateway()),
      last_datagram_ns_(exchange::system_time().value) {
    model_.link.where = link_->where();
    model_.time = clock_text(last_datagram_ns_);
    if (settings.itch_port) {
        feed_.emplace(settings.host, *settings.itch_port, settings.glimpse_port);
        return;
    }
    if (!settings.l2_port) return;
    auto market = net::MulticastReceiver::join(
        {.address = settings.group, .port = *settings.l2_port, .interface = settings.interface});
    if (market)
        market_ = std::move(*market);
    else
        model_.say(fmt::format("no market data: {}", market.error()), client::TermLine::Tone::bad);
}

bool TermSession::wait(int timeout_ms, int other) const {
    std::array<pollfd, 4> sources{};
    nfds_t count = 0;
    const auto watch = [&](const pollfd& source) {
        if (source.fd >= 0) sources[count++] = source;
    };
    watch({.fd = other, .events = POLLIN, .revents = 0});
    watch(link_->waits_for());
    if (market_) watch({.fd = market_->socket().number(), .events = POLLIN, .revents = 0});
    if (feed_) watch(feed_->waits_for());
    ::poll(sources.data(), count, timeout_ms);
    return other < 0 || (sources[0].revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

std::vector<client::TermLine> TermSession::do_work() {
    const std::int64_t now_ns = exchange::system_time().value;
    model_.time = clock_text(now_ns);
    model_.now = Timestamp{now_ns};
    hear_market(now_ns);
    link_->do_work(now_ns);
    if (link_->gateway().tells_books())
        model_.feed_state = up() ? client::TermFeed::live : client::TermFeed::silent;
    const auto news = link_->gateway().take_news();
    if (std::ranges::any_of(news, [](const client::News& each) {
            return each.kind == client::News::Kind::logged_in;
        }))
        ask_for_instruments();
    ask_for_trades(now_ns);
    auto lines = model_.hear(news);
    for (const client::News& each : news)
        if (each.kind == client::News::Kind::login_refused)
            link_->refuse(link_->gateway().why(each));
    tell_link(now_ns);
    return lines;
}

void TermSession::ask_for_instruments() {
    if (!settings_.http_port) return;
    auto symbols = ask_instruments(settings_.host, *settings_.http_port, settings_.binary_port);
    no_instruments_ = symbols ? "" : symbols.error();
    const bool is_known = symbols.has_value();
    model_.set_symbols(is_known ? *std::move(symbols) : client::Symbols{});
    if (!is_known) model_.say(no_instruments_, client::TermLine::Tone::bad);
    // The answering exchange is the one of this gateway.
    trades_.reset();
    model_.end_market_trades();
    if (no_instruments_.empty()) trades_.emplace(settings_.host, *settings_.http_port);
}

void TermSession::ask_for_trades(std::int64_t now_ns) {
    if (!trades_ || !up() || now_ns < trades_due_ns_) return;
    trades_due_ns_ = now_ns + k_trades_every_ns;
    if (const auto trades = trades_->ask()) return model_.add_market_trades(*trades);
    trades_.reset();
    model_.end_market_trades();
}

std::expected<client::TermCommand, std::string> TermSession::parse(std::string_view line) {
    auto command = client::parse_command(line, model_.symbols());
    if (command || !settings_.http_port || !up()) return command;
    ask_for_instruments();
    command = client::parse_command(line, model_.symbols());
    if (command || no_instruments_.empty()) return command;
    return std::unexpected{fmt::format("{} ({})", command.error(), no_instruments_)};
}

std::expected<std::vector<std::string>, std::string> TermSession::execute(
    const client::TermCommand& command) {
    if (command.kind != client::TermCommand::Kind::replay) return model_.execute(command);
    if (!settings_.http_port)
        return std::unexpected{std::string{"the day is asked of the HTTP port: give --http-port"}};
    return ask_replay(settings_.host, *settings_.http_port, command.control);
}

void TermSession::hear_market(std::int64_t now_ns) {
    if (feed_) return feed_->turn(model_);
    if (!market_) return;
    constexpr int k_datagrams_a_turn = 1'000;
    std::array<std::byte, 65'536> memory{};
    for (int i = 0; i < k_datagrams_a_turn; ++i) {
        const auto datagram = market_->receive(memory);
        if (datagram.empty()) break;
        last_datagram_ns_ = now_ns;
        model_.on_datagram(datagram);
    }
    model_.feed_state = now_ns - last_datagram_ns_ > k_silence_ns ? client::TermFeed::silent
                                                                  : client::TermFeed::live;
}

void TermSession::tell_link(std::int64_t now_ns) {
    client::TermLink& told = model_.link;
    told.state = state_of(link_->state());
    told.trouble = link_->trouble();
    const std::int64_t left_ns = link_->retry_at_ns() - now_ns;
    told.retry_s = std::max<std::int64_t>((left_ns + k_second_ns - 1) / k_second_ns, 0);
    if (std::exchange(reported_losses_, link_->losses()) == link_->losses()) return;
    const std::size_t lost = link_->gateway().orders().size();
    model_.say(
        fmt::format("connection lost: {}{}", link_->trouble(),
                    lost == 0 ? "" : fmt::format("; {} of its orders may still be open", lost)),
        client::TermLine::Tone::bad);
}

void TermSession::leave() {
    if (!up()) return;
    const std::int64_t give_up_ns = exchange::system_time().value + k_second_ns / 2;
    link_->log_out();
    while (up() && exchange::system_time().value < give_up_ns) {
        do_work();
        if (up()) wait(20);
    }
}

}  // namespace damrak::app
