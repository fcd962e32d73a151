#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/client/load_client.hpp>

// What a load client makes of its answers, and the rules that it holds them against.
namespace damrak::client {

using namespace wire::binary;
using session::binary::CancelStatus;
using session::binary::HelloStatus;
using session::binary::k_v2_accepted;
using session::binary::k_v2_rejected;
using session::binary::LogoutStatus;
using session::binary::ModifyStatus;
using session::binary::OrderStatus;
using session::binary::V2OrderStatus;

static_assert(std::to_underlying(HelloStatus::accepted) == k_v2_accepted);
static_assert(std::to_underlying(LogoutStatus::accepted) == k_v2_accepted);
static_assert(std::to_underlying(CancelStatus::accepted) == k_v2_accepted);

const LoadClient::Asked* LoadClient::answered(RequestKind kind) {
    settle_trades();
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

// The trades of an order come before the answer to any later request.
void LoadClient::settle_trades() {
    expect(owed_quantity_ == 0, "the trades that ORDER_ACK told of follow it");
    owed_quantity_ = 0;
    market_ = {};
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
    // In both versions 2 is a refusal.
    if (ack.status == 0 || ack.status == std::to_underlying(OrderStatus::invalid) ||
        (!is_v2() && ack.status != std::to_underlying(OrderStatus::accepted)))
        return refusal("a new order", ack.status);
    expect(header.client_sequence == asked->sequence, "ORDER_ACK repeats the request's number");
    expect(!is_v2() || ack.client_order_id.value == asked->sequence,
           "ORDER_ACK repeats the client order id");
    expect(ack.order_id > last_order_id_, "order ids ascend");
    last_order_id_ = ack.order_id;
    check_outcome(*asked, ack);
    const LiveOrder order{.id = ack.order_id,
                          .name = asked->sequence,
                          .remaining = asked->quantity,
                          .price_e2 = asked->price_e2,
                          .side = asked->side};
    if (asked->price_e2 == 0)
        market_ = order;
    else
        live_.push_back(order);
}

// Version 1 repeats the order, version 2 tells what matching made of it.
void LoadClient::check_outcome(const Asked& asked, const OrderAck& ack) {
    const bool market = asked.price_e2 == 0;
    const std::uint64_t told = market && !is_v2() ? 0 : asked.quantity;
    expect(ack.price_e2 == asked.price_e2 && ack.instrument == settings_->instrument &&
               (is_v2() ? ack.quantity <= told : ack.quantity == told),
           "ORDER_ACK repeats price, quantity and instrument");
    if (!is_v2()) return;
    const auto outcome = ack.quantity == 0     ? V2OrderStatus::filled
                         : ack.quantity < told ? V2OrderStatus::partially_filled
                         : market              ? V2OrderStatus::cancelled
                                               : V2OrderStatus::placed;
    expect(ack.status == std::to_underlying(outcome), "the status of ORDER_ACK fits what is left");
    owed_quantity_ = told - std::min(told, ack.quantity);
    owed_order_ = ack.order_id;
}

void LoadClient::on_cancel_ack(const Header& header, const CancelAck& ack) {
    check_header(header, ack.client_id);
    const Asked* const asked = answered(RequestKind::cancel);
    if (asked == nullptr || settings_->echo) return;
    last_counted_sequence_ = header.client_sequence;
    expect(header.client_sequence == asked->sequence, "CANCEL_ACK repeats the request's number");
    expect(ack.order_id == asked->order_id, "CANCEL_ACK names the order that was asked for");
    expect(!is_v2() || (ack.client_order_id.value == asked->sequence &&
                        ack.instrument == settings_->instrument),
           "CANCEL_ACK repeats the client order id and the instrument");
    expect(is_v2() ||
               header.payload_length == Layout<Version::v1, CancelAck>::k_length +
                                            (settings_->capture ? k_capture_cancel_ack_tail : 0),
           "CANCEL_ACK has the length that was asked for");
    LiveOrder* const order = find(asked->order_id);
    const std::uint8_t not_found =
        is_v2() ? k_v2_rejected : std::to_underlying(CancelStatus::not_found);
    if (ack.status == std::to_underlying(CancelStatus::accepted)) {
        expect(order != nullptr, "only a live order is cancelled");
    } else if (ack.status == not_found) {
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
    expect(header.client_sequence == asked->sequence, "MODIFY_ACK repeats the request's number");
    expect(ack.old_order_id == asked->order_id, "MODIFY_ACK names the order that was asked for");
    expect(!is_v2() || (ack.client_order_id.value == asked->sequence &&
                        ack.instrument == settings_->instrument),
           "MODIFY_ACK repeats the client order id and the instrument");
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
    expect(ack.price_e2 == asked->price_e2 && ack.quantity == asked->quantity,
           "MODIFY_ACK repeats price and quantity");
    if (order == nullptr) return violation("only a live order is modified");
    expect(ack.new_order_id == order->id || ack.new_order_id > last_order_id_, "order ids ascend");
    last_order_id_ = std::max(last_order_id_, ack.new_order_id);
    *order = {.id = ack.new_order_id,
              .name = order->name,
              .remaining = asked->quantity,
              .price_e2 = asked->price_e2,
              .side = order->side};
}

void LoadClient::on_trade(const Header& header, const Trade& trade) {
    check_header(header, trade.client_id);
    if (tally_->recording) tally_->trade_messages += 1;
    expect(is_v2() ? trade.trade_id > last_trade_id_ : trade.trade_id == last_trade_id_ + 1,
           is_v2() ? "trade ids ascend" : "trade ids of a session count 1, 2, 3");
    last_trade_id_ = trade.trade_id;
    expect(header.client_sequence == last_counted_sequence_,
           "TRADE repeats the number of the last request that was answered");
    LiveOrder* const order = find(trade.order_id);
    if (order == nullptr) return violation("a trade of an order that is not live");
    check_trade(trade, *order);
    if (trade.quantity == 0 || trade.quantity > order->remaining) {
        violation("a trade of nothing, or of more than the order has left");
        return remove(*order);
    }
    order->remaining -= static_cast<std::uint32_t>(trade.quantity);
    if (order->remaining == 0) remove(*order);
}

void LoadClient::check_trade(const Trade& trade, const LiveOrder& order) {
    const bool market = &order == &market_;
    expect(market || (order.side == LoadDraws::k_buy ? trade.price_e2 <= order.price_e2
                                                     : trade.price_e2 >= order.price_e2),
           "no trade is worse than the order's limit");
    expect(!is_v2() || trade.client_order_id.value == order.name,
           "TRADE carries the client order id that the order was entered with");
    if (owed_quantity_ == 0) return;
    expect(trade.order_id == owed_order_ && trade.quantity <= owed_quantity_,
           "the trades that ORDER_ACK told of follow it");
    owed_quantity_ -= std::min(owed_quantity_, trade.quantity);
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
