#include <damrak/client/order_entry.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace damrak::client {

using namespace wire::binary;
namespace binary = session::binary;

namespace {

constexpr std::uint8_t k_accepted = 1;
constexpr std::uint64_t k_no_date = ~std::uint64_t{0};

// Number of the time in force in version 2, which has no immediate or cancel.
std::uint8_t in_force_number(const OrderExtras& extras) {
    switch (extras.in_force.value_or(TimeInForce::gtc)) {
        case TimeInForce::fok:
            return 1;
        case TimeInForce::day:
            return 2;
        case TimeInForce::gtd:
            return 3;
        case TimeInForce::at_open:
            return 4;
        case TimeInForce::at_close:
            return 5;
        case TimeInForce::at_auction:
            return 6;
        default:
            return 0;
    }
}

std::uint8_t type_number(std::int64_t price_e2, const OrderExtras& extras) {
    if (extras.is_stop()) return price_e2 == 0 ? 3 : 4;
    if (extras.to_limit) return 2;
    return price_e2 == 0 ? 1 : 0;
}

std::string_view error_text(std::uint8_t code) {
    switch (static_cast<binary::ErrorCode>(code)) {
        case binary::ErrorCode::unknown_type:
            return "unknown message";
        case binary::ErrorCode::payload_too_short:
            return "message too short";
        case binary::ErrorCode::payload_too_long:
            return "message too long";
        case binary::ErrorCode::wrong_version:
            return "wrong version of the protocol";
        case binary::ErrorCode::too_many_messages:
            return "too many messages";
        case binary::ErrorCode::wrong_client_id:
            return "wrong client id";
    }
    return "unknown error code";
}

}  // namespace

std::string reason_of(const News& news, Version version) {
    switch (news.kind) {
        case News::Kind::error:
            return std::string{error_text(news.code)};
        case News::Kind::login_refused:
            if (version == Version::v2) return "the exchange asks for an API key";
            if (news.code == std::to_underlying(binary::HelloStatus::no_room))
                return "no room for another client, try again later";
            return news.code == std::to_underlying(binary::HelloStatus::invalid_api_key)
                       ? "unknown API key"
                       : "out of order";
        case News::Kind::refused:
            if (version == Version::v1 &&
                news.code == std::to_underlying(binary::OrderStatus::out_of_order))
                return "out of order";
            return "invalid, or against a limit";
        case News::Kind::cancel_refused:
            return version == Version::v1 &&
                           news.code == std::to_underlying(binary::CancelStatus::invalid)
                       ? "not ours"
                       : "not there any more";
        case News::Kind::modify_refused:
            return news.code == std::to_underlying(binary::ModifyStatus::not_found)
                       ? "not there any more"
                       : "invalid";
        default:
            return news.why;
    }
}

std::string OrderEntry::who() const { return fmt::format("client {}", client_id()); }

void OrderEntry::login(const ApiKey& key) {
    by_key_ = key != ApiKey{};
    send({.request = Request::hello}, [&](auto to) { return client_.hello(to, key); });
}

void OrderEntry::logout() {
    send({.request = Request::logout}, [&](auto to) { return client_.logout(to); });
}

void OrderEntry::heartbeat() {
    if (version_ != Version::v1) return;
    send({}, [&](auto to) { return client_.heartbeat(to); });
    pending_.pop_back();  // has no answer
}

std::uint32_t OrderEntry::enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                                std::int64_t price_e2, const OrderExtras& extras) {
    const std::uint32_t number = ++last_number_;
    orders_[number] = {.number = number,
                       .instrument = instrument,
                       .side = side,
                       .market = price_e2 == 0,
                       .price_e2 = price_e2,
                       .open = quantity,
                       .extras = extras};
    const std::uint64_t until_us = extras.in_force == TimeInForce::gtd
                                       ? static_cast<std::uint64_t>(extras.expires.value) / 1'000
                                       : k_no_date;
    const NewOrder order{.client_order_id = ClientOrderId{number},
                         .instrument = instrument,
                         .side = std::to_underlying(side),
                         .order_type = type_number(price_e2, extras),
                         .time_in_force = in_force_number(extras),
                         .quantity = quantity,
                         .price_e2 = static_cast<std::uint64_t>(price_e2),
                         .good_till_us = until_us};
    const OwnOrder* const other = extras.is_linked() ? find(extras.other) : nullptr;
    send({.request = Request::enter, .number = number}, [&](auto to) {
        if (other == nullptr) return client_.new_order(to, order);
        return client_.linked_order(to, {order, static_cast<std::uint64_t>(extras.stop_e2),
                                         other->id, std::to_underlying(extras.contingency)});
    });
    return number;
}

std::string OrderEntry::why_not(const OrderExtras& extras) const {
    const auto no = [](std::string_view gateway, std::string_view what) {
        return fmt::format("{} has no {}: `damrak term --fix` enters by the FIX gateway, which has",
                           gateway, what);
    };
    constexpr std::string_view k_gateway = "the binary gateway";
    if (extras.trail_e2 > 0) return no(k_gateway, "trailing stops");
    if (extras.is_stop() && !extras.is_linked()) return no(k_gateway, "stop orders without a link");
    if (extras.peg != PegReference::none) return no(k_gateway, "pegged orders");
    if (extras.imbalance) return "only the OUCH gateway has imbalance";
    if (extras.shown) return no(k_gateway, "icebergs and hidden orders");
    if (extras.least > 0) return no(k_gateway, "least quantity (min)");
    if (extras.post) return no(k_gateway, "post");
    if (extras.in_force == TimeInForce::ioc) return no(k_gateway, "ioc, but fok");
    if (version_ == Version::v1 && extras.in_force.value_or(TimeInForce::gtc) != TimeInForce::gtc)
        return no("version 1 of the binary gateway", "time in force but gtc");
    if (version_ == Version::v1 && extras.to_limit)
        return no("version 1 of the binary gateway", "to-limit");
    if (version_ == Version::v1 && extras.is_linked())
        return "version 1 of the binary gateway has no links: version 2 has";
    return {};
}

bool OrderEntry::cancel(std::uint32_t number) {
    const OwnOrder* const order = find(number);
    if (!in_reach(order)) return false;
    send({.request = Request::cancel, .number = number}, [&](auto to) {
        return client_.cancel(to, {.order_id = order->id,
                                   .client_order_id = ClientOrderId{number},
                                   .instrument = order->instrument});
    });
    return true;
}

bool OrderEntry::modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2,
                        std::int64_t /*stop_e2*/) {
    const OwnOrder* const order = find(number);
    if (!in_reach(order)) return false;
    send({Request::modify, number, quantity, price_e2}, [&](auto to) {
        return client_.modify(to, {.order_id = order->id,
                                   .client_order_id = ClientOrderId{number},
                                   .quantity = quantity,
                                   .price_e2 = static_cast<std::uint64_t>(price_e2),
                                   .instrument = order->instrument});
    });
    return true;
}

void OrderEntry::mark_sent(std::size_t bytes) {
    unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(bytes));
}

Fault OrderEntry::receive(std::span<const std::byte> bytes) {
    unread_.insert(unread_.end(), bytes.begin(), bytes.end());
    const Heard heard = client_.receive(unread_, *this);
    unread_.erase(unread_.begin(),
                  unread_.begin() + static_cast<std::ptrdiff_t>(heard.consumed_bytes));
    return heard.fault;
}

// A new connection starts with new numbers; open orders keep the client's own.
void OrderEntry::lose() {
    client_ = BinaryClient{version_};
    logged_in_ = false;
    out_of_step_ = false;
    unsent_.clear();
    unread_.clear();
    pending_.clear();
    market_orders_.clear();
    awaited_ = 0;
    std::erase_if(orders_, [](const auto& each) { return !each.second.rests(); });
    for (auto& [number, order] : orders_) order.state = OwnOrder::State::unsure;
}

void OrderEntry::forget_unsure() {
    std::erase_if(orders_, [this](const auto& each) {
        if (each.second.state != OwnOrder::State::unsure) return false;
        numbers_.erase(each.second.id);
        return true;
    });
}

std::optional<OrderEntry::Pending> OrderEntry::answered(Request request) {
    if (pending_.empty() || pending_.front().request != request) return std::nullopt;
    const Pending pending = pending_.front();
    pending_.pop_front();
    end_market_orders();
    return pending;
}

bool OrderEntry::in_reach(const OwnOrder* order) const {
    if (order == nullptr || !order->rests() || !order->id) return false;
    return order->state == OwnOrder::State::open ||
           (order->state == OwnOrder::State::unsure && by_key_);
}

OwnOrder* OrderEntry::find(std::uint32_t number) {
    const auto found = orders_.find(number);
    return found == orders_.end() ? nullptr : &found->second;
}

OwnOrder* OrderEntry::find(OrderId id) {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? nullptr : find(found->second);
}

void OrderEntry::tell(News::Kind kind, const OwnOrder& order, std::uint8_t code, std::string why) {
    news_.push_back({.kind = kind, .order = order, .code = code, .why = std::move(why)});
}

void OrderEntry::tell(News::Kind kind, std::uint8_t code) { tell(kind, OwnOrder{}, code); }

void OrderEntry::finish(OwnOrder& order, News::Kind kind, std::uint8_t code, std::string why) {
    order.state = OwnOrder::State::finished;
    tell(kind, order, code, std::move(why));
    numbers_.erase(order.id);
    orders_.erase(order.number);
}

// The fills of an order directly follow its answer: the next answer ends them.
void OrderEntry::end_market_orders() {
    for (const std::uint32_t number : std::exchange(market_orders_, {}))
        if (OwnOrder* const order = find(number)) finish(*order, News::Kind::unfilled, 0);
}

void OrderEntry::on_hello(const Header& /*header*/, const HelloAck& ack) {
    if (!answered(Request::hello)) return;
    logged_in_ = ack.status == k_accepted;
    tell(logged_in_ ? News::Kind::logged_in : News::Kind::login_refused, ack.status);
}

void OrderEntry::on_logout(const Header& /*header*/, const LogoutAck& ack) {
    if (!answered(Request::logout)) return;
    logged_in_ = false;
    tell(News::Kind::logged_out, ack.status);
}

void OrderEntry::on_order_ack(const Header& /*header*/, const OrderAck& ack) {
    const auto pending = answered(Request::enter);
    if (!pending) return;
    OwnOrder* const order = find(pending->number);
    if (order == nullptr) return;
    // Version 2 reports the outcome, version 1 only the acceptance; both report a refusal.
    const bool refused = version_ == Version::v1
                             ? ack.status != std::to_underlying(binary::OrderStatus::accepted)
                             : ack.status == std::to_underlying(binary::V2OrderStatus::rejected);
    if (refused) return finish(*order, News::Kind::refused, ack.status);
    order->id = ack.order_id;
    order->state = OwnOrder::State::open;
    numbers_[order->id] = order->number;
    // Only in a call is a market order neither traded nor cancelled; version 1 does not tell.
    order->in_call = version_ == Version::v2 && !order->rests() &&
                     ack.status == std::to_underlying(binary::V2OrderStatus::placed);
    tell(News::Kind::accepted, *order, ack.status);
    if (!order->rests()) market_orders_.push_back(order->number);
    if (version_ == Version::v1) return;
    const std::uint64_t rest = std::min(ack.quantity, order->open);
    awaited_ += order->open - rest;
    if (!order->rests() && rest == order->open) end_market_orders();
}

void OrderEntry::on_cancel_ack(const Header& /*header*/, const CancelAck& ack) {
    const auto pending = answered(Request::cancel);
    if (!pending) return;
    OwnOrder* const order = find(pending->number);
    const bool done = ack.status == k_accepted;
    // Filled while the request was on its way.
    if (order == nullptr) return tell(News::Kind::cancel_refused, ack.status);
    finish(*order, done ? News::Kind::cancelled : News::Kind::cancel_refused, ack.status);
}

void OrderEntry::on_modify_ack(const Header& /*header*/, const ModifyAck& ack) {
    const auto pending = answered(Request::modify);
    if (!pending) return;
    OwnOrder* const order = find(pending->number);
    if (order == nullptr) return tell(News::Kind::modify_refused, ack.status);
    if (ack.status != k_accepted) {
        if (ack.status == std::to_underlying(binary::ModifyStatus::not_found))
            return finish(*order, News::Kind::modify_refused, ack.status);
        return tell(News::Kind::modify_refused, *order, ack.status);
    }
    numbers_.erase(order->id);
    order->id = ack.new_order_id;
    order->state = OwnOrder::State::open;
    order->open = pending->quantity;
    order->price_e2 = pending->price_e2;
    numbers_[order->id] = order->number;
    tell(News::Kind::modified, *order, ack.status);
}

void OrderEntry::on_trade(const Header& /*header*/, const Trade& trade) {
    awaited_ -= std::min(awaited_, trade.quantity);
    OwnOrder* const order = find(trade.order_id);
    if (order == nullptr) return;
    const std::uint64_t quantity = std::min(trade.quantity, order->open);
    order->open -= quantity;
    order->filled += quantity;
    if (order->open == 0) order->state = OwnOrder::State::finished;
    news_.push_back({.kind = News::Kind::filled,
                     .order = *order,
                     .quantity = trade.quantity,
                     .price_e2 = static_cast<std::int64_t>(trade.price_e2),
                     .trade_id = trade.trade_id});
    if (order->open == 0) {
        numbers_.erase(order->id);
        orders_.erase(order->number);
    } else if (!order->rests() && version_ == Version::v2 && awaited_ == 0) {
        end_market_orders();
    }
}

void OrderEntry::on_error(const Header& /*header*/, const Error& error) {
    const auto code = static_cast<std::uint8_t>(error.code);
    out_of_step_ = version_ == Version::v2;
    if (pending_.empty()) return tell(News::Kind::error, code);
    const Pending pending = pending_.front();
    pending_.pop_front();
    OwnOrder* const order = find(pending.number);
    if (order != nullptr && pending.request == Request::enter)
        return finish(*order, News::Kind::error, code);
    tell(News::Kind::error, order == nullptr ? OwnOrder{} : *order, code);
}

void OrderEntry::on_timeout(const Header& /*header*/, const SessionTimeout& /*timeout*/) {
    tell(News::Kind::timed_out, 0);
}

}  // namespace damrak::client
