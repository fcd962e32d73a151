#include <damrak/client/load_client.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace damrak::client {

using namespace wire::binary;
using session::binary::CancelStatus;
using session::binary::HelloStatus;
using session::binary::LogoutStatus;
using session::binary::ModifyStatus;
using session::binary::OrderStatus;

namespace {

/// More live orders than this, beside the window, and the client cancels instead of adding.
constexpr std::size_t k_live_orders = 64;
constexpr std::uint8_t k_buy = 0;
constexpr std::uint64_t k_never = ~std::uint64_t{0};

}  // namespace

LoadClient::LoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number)
    : settings_(&settings),
      tally_(&tally),
      number_(number),
      random_(mix_bits(settings.seed) ^ mix_bits(number)),
      window_(settings.window),
      live_limit_(k_live_orders + settings.window) {
    live_.reserve(live_limit_);
}

RequestKind LoadClient::draw_kind() {
    const auto& mix = settings_->mix;
    const std::uint32_t drawn = random_.below(mix[0] + mix[1] + mix[2]);
    const RequestKind kind = drawn < mix[0]            ? RequestKind::new_order
                             : drawn < mix[0] + mix[1] ? RequestKind::cancel
                                                       : RequestKind::modify;
    const bool full = live_.size() + outstanding_new_ >= live_limit_;
    return kind == RequestKind::new_order && full ? RequestKind::cancel : kind;
}

std::uint32_t LoadClient::draw_price() {
    const std::uint32_t range = settings_->price_range_e2;
    return settings_->mid_price_e2 - range + random_.below(2 * range + 1);
}

std::uint32_t LoadClient::draw_quantity() { return 1 + random_.below(settings_->maximum_quantity); }

LoadClient::LiveOrder* LoadClient::draw_order() {
    const std::size_t count = live_.size();
    if (count == 0) return nullptr;
    const std::size_t first = random_.below(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
        LiveOrder& order = live_[(first + i) % count];
        if (!order.asked) return &order;
    }
    return nullptr;
}

LoadClient::LiveOrder* LoadClient::find(OrderId id) {
    for (LiveOrder& order : live_)
        if (order.id == id) return &order;
    return nullptr;
}

void LoadClient::remove(LiveOrder& order) {
    order = live_.back();
    live_.pop_back();
}

std::size_t LoadClient::request(std::span<std::byte> to, std::int64_t from_ns) {
    if (outstanding_ == settings_->window) return 0;
    const std::uint32_t at = oldest_ + outstanding_;
    Asked& asked = window_[at < settings_->window ? at : at - settings_->window];
    asked = {.from_ns = from_ns};
    std::size_t length = 0;
    if (ending_) {
        length = ask_ending(to, asked);
        if (length == 0) return 0;
    } else {
        const RequestKind kind = draw_kind();
        LiveOrder* const order = kind == RequestKind::new_order ? nullptr : draw_order();
        if (order != nullptr) order->asked = true;
        const bool known = order != nullptr || settings_->echo;
        const OrderId id = order != nullptr ? order->id : OrderId{1};
        if (known && kind == RequestKind::cancel)
            length = ask_cancel(to, asked, id);
        else if (known && kind == RequestKind::modify)
            length = ask_modify(to, asked, id);
        else if (live_.size() + outstanding_new_ < live_limit_)
            length = ask_new(to, asked);
        else
            return 0;  // all of them are being cancelled: wait for that
    }
    asked.sequence = wire_.sequence();
    outstanding_ += 1;
    return length;
}

std::size_t LoadClient::ask_new(std::span<std::byte> to, Asked& asked) {
    asked.kind = RequestKind::new_order;
    asked.side = random_.coin() ? 1 : k_buy;
    asked.price_e2 = draw_price();
    asked.quantity = draw_quantity();
    outstanding_new_ += 1;
    return wire_.new_order(to, {.instrument = settings_->instrument,
                                .side = asked.side,
                                .quantity = asked.quantity,
                                .price_e2 = asked.price_e2,
                                .good_till_us = k_never});
}

std::size_t LoadClient::ask_cancel(std::span<std::byte> to, Asked& asked, OrderId id) {
    asked.kind = RequestKind::cancel;
    asked.order_id = id;
    return wire_.cancel(to, {.order_id = id, .instrument = settings_->instrument});
}

std::size_t LoadClient::ask_modify(std::span<std::byte> to, Asked& asked, OrderId id) {
    asked.kind = RequestKind::modify;
    asked.order_id = id;
    asked.price_e2 = draw_price();
    asked.quantity = draw_quantity();
    return wire_.modify(to, {.order_id = id,
                             .quantity = asked.quantity,
                             .price_e2 = asked.price_e2,
                             .instrument = settings_->instrument});
}

std::size_t LoadClient::ask_ending(std::span<std::byte> to, Asked& asked) {
    if (LiveOrder* const order = draw_order()) {
        order->asked = true;
        return ask_cancel(to, asked, order->id);
    }
    if (outstanding_ > 0 || logged_out_) return 0;
    asked.kind = RequestKind::logout;
    return wire_.logout(to);
}

Heard LoadClient::receive(std::span<const std::byte> bytes, std::int64_t now_ns) {
    now_ns_ = now_ns;
    const Heard heard = wire_.receive(bytes, *this);
    if (heard.fault != Fault::none) violation("bytes that are no message of the protocol");
    return heard;
}

void LoadClient::close() {
    if (outstanding_ == 0) return;
    tally_->error(tally_->unanswered, fmt::format("client {}: no answer to request {}", number_,
                                                  window_[oldest_].sequence));
    tally_->unanswered += outstanding_ - 1;
    outstanding_ = 0;
}

const LoadClient::Asked* LoadClient::answered(RequestKind kind) {
    const Asked& asked = window_[oldest_];
    if (outstanding_ == 0 || asked.kind != kind) {
        violation("an answer that is not to the oldest request");
        return nullptr;
    }
    outstanding_ -= 1;
    outstanding_new_ -= kind == RequestKind::new_order ? 1 : 0;
    oldest_ = oldest_ + 1 == settings_->window ? 0 : oldest_ + 1;
    tally_->all_answers += 1;
    if (tally_->recording && kind != RequestKind::logout) {
        tally_->answers += 1;
        const std::int64_t latency_ns = std::max<std::int64_t>(0, now_ns_ - asked.from_ns);
        tally_->latency_ns[std::to_underlying(kind)].record(static_cast<std::uint64_t>(latency_ns));
    }
    return &asked;
}

void LoadClient::on_hello(const Header& header, const HelloAck& ack) {
    if (ack.status != std::to_underlying(HelloStatus::accepted)) refusal("the login", ack.status);
    check_header(header, ack.client_id);
    last_counted_sequence_ = header.client_sequence;
}

void LoadClient::on_logout(const Header& header, const LogoutAck& ack) {
    check_header(header, ack.client_id);
    if (answered(RequestKind::logout) == nullptr) return;
    if (ack.status != std::to_underlying(LogoutStatus::accepted)) refusal("a logout", ack.status);
    logged_out_ = true;
}

void LoadClient::on_order_ack(const Header& header, const OrderAck& ack) {
    check_header(header, ack.client_id);
    const Asked* const asked = answered(RequestKind::new_order);
    if (asked == nullptr || settings_->echo) return;
    last_counted_sequence_ = header.client_sequence;
    if (ack.status != std::to_underlying(OrderStatus::accepted))
        return refusal("a new order", ack.status);
    expect(header.client_sequence == asked->sequence, "ORDER_ACK repeats the request's number");
    expect(ack.price_e2 == asked->price_e2 && ack.quantity == asked->quantity &&
               ack.instrument == settings_->instrument,
           "ORDER_ACK repeats price, quantity and instrument");
    expect(ack.order_id > last_order_id_, "order ids ascend");
    last_order_id_ = ack.order_id;
    live_.push_back({ack.order_id, asked->quantity, asked->price_e2, asked->side});
}

void LoadClient::on_cancel_ack(const Header& header, const CancelAck& ack) {
    check_header(header, ack.client_id);
    const Asked* const asked = answered(RequestKind::cancel);
    if (asked == nullptr || settings_->echo) return;
    last_counted_sequence_ = header.client_sequence;
    expect(header.client_sequence == asked->sequence, "CANCEL_ACK repeats the request's number");
    expect(ack.order_id == asked->order_id, "CANCEL_ACK names the order that was asked for");
    LiveOrder* const order = find(asked->order_id);
    if (ack.status == std::to_underlying(CancelStatus::accepted)) {
        expect(order != nullptr, "only a live order is cancelled");
    } else if (ack.status == std::to_underlying(CancelStatus::not_found)) {
        tally_->not_found += 1;
        expect(order == nullptr, "a cancelled order is not found only after it was filled");
    } else {
        refusal("a cancel", ack.status);
    }
    if (order != nullptr) remove(*order);
}

void LoadClient::on_modify_ack(const Header& header, const ModifyAck& ack) {
    check_header(header, ack.client_id);
    const Asked* const asked = answered(RequestKind::modify);
    if (asked == nullptr || settings_->echo) return;
    last_counted_sequence_ = header.client_sequence;
    expect(ack.old_order_id == asked->order_id, "MODIFY_ACK names the order that was asked for");
    LiveOrder* const order = find(asked->order_id);
    if (ack.status == std::to_underlying(ModifyStatus::not_found)) {
        tally_->not_found += 1;
        expect(order == nullptr, "a modified order is not found only after it was filled");
        if (order != nullptr) remove(*order);
        return;
    }
    if (ack.status != std::to_underlying(ModifyStatus::accepted)) {
        if (order != nullptr) order->asked = false;
        return refusal("a modify", ack.status);
    }
    expect(header.client_sequence == asked->sequence, "MODIFY_ACK repeats the request's number");
    expect(ack.price_e2 == asked->price_e2 && ack.quantity == asked->quantity,
           "MODIFY_ACK repeats price and quantity");
    if (order == nullptr) return violation("only a live order is modified");
    expect(ack.new_order_id == order->id || ack.new_order_id > last_order_id_, "order ids ascend");
    last_order_id_ = std::max(last_order_id_, ack.new_order_id);
    *order = {ack.new_order_id, asked->quantity, asked->price_e2, order->side};
}

void LoadClient::on_trade(const Header& header, const Trade& trade) {
    check_header(header, trade.client_id);
    if (tally_->recording) tally_->trade_messages += 1;
    expect(trade.trade_id == last_trade_id_ + 1, "trade ids of a session count 1, 2, 3");
    last_trade_id_ = trade.trade_id;
    expect(header.client_sequence == last_counted_sequence_,
           "TRADE repeats the number of the last request that was answered");
    LiveOrder* const order = find(trade.order_id);
    if (order == nullptr) return violation("a trade of an order that is not live");
    expect(order->side == k_buy ? trade.price_e2 <= order->price_e2
                                : trade.price_e2 >= order->price_e2,
           "no trade is worse than the order's limit");
    if (trade.quantity == 0 || trade.quantity > order->remaining) {
        violation("a trade of nothing, or of more than the order has left");
        return remove(*order);
    }
    order->remaining -= static_cast<std::uint32_t>(trade.quantity);
    if (order->remaining == 0) remove(*order);
}

void LoadClient::on_error(const Header&, const Error& error) {
    tally_->error(tally_->refused, fmt::format("client {}: ERROR {}", number_, error.code));
}

void LoadClient::on_timeout(const Header&, const SessionTimeout&) {
    tally_->error(tally_->refused, fmt::format("client {}: SESSION_TIMEOUT", number_));
}

void LoadClient::check_header(const Header& header, ClientId named) {
    if (settings_->echo) return;
    expect(header.server_sequence == last_server_sequence_ + 1, "numbers of answers ascend by one");
    expect(named == wire_.client_id(), "answers carry the client's own id");
    last_server_sequence_ = header.server_sequence;
}

void LoadClient::expect(bool holds, std::string_view rule) {
    if (!holds && settings_->verify) [[unlikely]]
        violation(rule);
}

void LoadClient::violation(std::string_view rule) {
    tally_->error(tally_->violations,
                  fmt::format("client {}, answer {}: {}", number_, wire_.server_sequence(), rule));
}

void LoadClient::refusal(std::string_view request, unsigned status) {
    tally_->error(tally_->refused, fmt::format("client {}: {} was refused with status {}", number_,
                                               request, status));
}

}  // namespace damrak::client
