#include "serve/page_trading.hpp"

#include <random>
#include <utility>

#include <fmt/format.h>

#include <damrak/exchange/system_time.hpp>
#include <damrak/gateway/ouch/settings.hpp>

namespace damrak::app {

namespace {

using client::News;
using client::OwnOrder;
using market_stream::OrderReport;
using market_stream::RequestError;
using market_stream::RequestResult;
using market_stream::ViewerOrder;

std::string_view text(OwnOrder::State state) {
    switch (state) {
        case OwnOrder::State::sent:
            return "sent";
        case OwnOrder::State::open:
            return "open";
        case OwnOrder::State::finished:
            return "finished";
        case OwnOrder::State::unsure:
            return "unsure";
    }
    return {};
}

/// Empty: it is not about an order.
std::string_view text(News::Kind kind) {
    switch (kind) {
        case News::Kind::accepted:
            return "accepted";
        case News::Kind::refused:
            return "rejected";
        case News::Kind::filled:
            return "filled";
        case News::Kind::unfilled:
        case News::Kind::cancelled:
            return "cancelled";
        case News::Kind::cancel_refused:
            return "cancel_rejected";
        case News::Kind::modified:
            return "replaced";
        case News::Kind::modify_refused:
            return "replace_rejected";
        default:
            return {};
    }
}

// As strong as a login allows.
std::string drawn_password() {
    constexpr std::string_view k_letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    constexpr std::size_t k_length = 10;
    std::random_device chance;
    std::uniform_int_distribution<std::size_t> letter{0, k_letters.size() - 1};
    std::string password(k_length, ' ');
    for (char& c : password) c = k_letters[letter(chance)];
    return password;
}

}  // namespace

void name_page_user(ServeSettings& settings) {
    auto& ouch = settings.of<gateway::ouch::OuchSettings>();
    ouch.own_user = settings.trading_user;
    ouch.own_password =
        settings.trading_password.empty() ? drawn_password() : settings.trading_password;
}

void keep_page_user(const ServeSettings& running, ServeSettings& wanted) {
    const auto& now = running.of<gateway::ouch::OuchSettings>();
    auto& ouch = wanted.of<gateway::ouch::OuchSettings>();
    ouch.own_user = now.own_user;
    ouch.own_password = now.own_password;
}

std::unique_ptr<PageTrading> make_page_trading(const ServeSettings& settings,
                                               const exchange::Exchange& exchange) {
    const auto port = exchange.ports().find("ouch");
    if (settings.trading_user.empty() || port == exchange.ports().end()) return nullptr;
    std::string host = settings.numeric_address;
    if (host == "0.0.0.0") host = "127.0.0.1";
    if (host == "::") host = "::1";
    return std::make_unique<PageTrading>(client::OuchOrderClientSettings{
        .host = std::move(host),
        .port = port->second,
        .user = settings.trading_user,
        .password = settings.of<gateway::ouch::OuchSettings>().own_password});
}

RequestResult<std::uint32_t> PageTrading::enter(const market_stream::EnterOrder& order) {
    connect();
    if (const auto is_ready = ready(); !is_ready) return std::unexpected{is_ready.error()};
    client::OuchOrderEntry& entry = link_->entry();
    const std::uint32_t number =
        entry.enter(entry.instrument(order.symbol), order.side, order.quantity, order.price_e2, {});
    reports_.push_back({.order = order_of(entry.orders().at(number)), .what = "sent"});
    turn();
    return number;
}

RequestResult<void> PageTrading::replace(const market_stream::ReplaceOrder& order) {
    if (const auto found = expect_order(order.order); !found) return found;
    if (!link_->entry().modify(order.order, order.quantity, order.price_e2, 0))
        return std::unexpected{RequestError{"unknown_order", "the order cannot be changed now"}};
    turn();
    return {};
}

RequestResult<void> PageTrading::cancel(const market_stream::CancelOrder& order) {
    if (const auto found = expect_order(order.order); !found) return found;
    if (!link_->entry().cancel(order.order))
        return std::unexpected{RequestError{"unknown_order", "the order cannot be cancelled now"}};
    turn();
    return {};
}

std::vector<ViewerOrder> PageTrading::orders() {
    connect();
    std::vector<ViewerOrder> all;
    for (const auto& [number, order] : link_->entry().orders()) all.push_back(order_of(order));
    return all;
}

std::vector<OrderReport> PageTrading::take_reports() {
    if (link_) turn();
    return std::exchange(reports_, {});
}

void PageTrading::connect() {
    if (link_) return;
    link_.emplace(gateway_, client::Symbols{});
    link_->entry().take_over_orders();
    turn();
}

void PageTrading::turn() {
    const std::uint64_t losses = link_->losses();
    link_->do_work(exchange::unset_time().value);
    for (const News& news : link_->entry().take_news()) {
        if (!text(news.kind).empty()) reports_.push_back(report_of(news));
        if (news.kind == News::Kind::logged_in) report_all("present");
    }
    if (link_->losses() > losses) report_all("lost", link_->trouble());
}

void PageTrading::report_all(std::string_view what, const std::string& why) {
    for (const auto& [number, order] : link_->entry().orders())
        reports_.push_back({.order = order_of(order), .what = what, .message = why});
}

RequestResult<void> PageTrading::ready() const {
    if (link_ && link_->state() == client::OrderClient::State::up) return {};
    const std::string why = link_ ? link_->trouble() : std::string{};
    return std::unexpected{RequestError{
        "not_connected",
        fmt::format("there is no connection to the OUCH gateway at present{}{}: try again",
                    why.empty() ? "" : ": ", why)}};
}

RequestResult<void> PageTrading::expect_order(std::uint32_t number) const {
    if (auto is_ready = ready(); !is_ready) return is_ready;
    if (link_->entry().orders().contains(number)) return {};
    return std::unexpected{
        RequestError{"unknown_order", fmt::format("order: {} is not open", number)}};
}

ViewerOrder PageTrading::order_of(const OwnOrder& order) const {
    return {.number = order.number,
            .reference = order.id.value,
            .symbol = link_->entry().symbols()->name(order.instrument),
            .side = order.side,
            .price_e2 = static_cast<std::uint64_t>(order.price_e2),
            .open = order.open,
            .filled = order.filled,
            .state = text(order.state)};
}

OrderReport PageTrading::report_of(const News& news) const {
    OrderReport report{.order = order_of(news.order), .what = text(news.kind), .message = news.why};
    if (news.kind == News::Kind::filled)
        report.fill = {static_cast<std::uint64_t>(news.price_e2), news.quantity};
    return report;
}

}  // namespace damrak::app
