#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <damrak/client/load_client.hpp>

// Answers to a load client, and the rules that they are checked against.
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
        violation("an answer that is not for the oldest request");
        return nullptr;
    }
    fresh_ = {};
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

// The trades of an order precede the answer to any later request.
void LoadClient::settle_trades() {
    expect(owed_quantity_ == 0, "the trades announced by ORDER_ACK must follow it");
    owed_quantity_ = 0;
    if (!settings_->auctions) markets_.clear();
}

void LoadClient::on_hello(const Header& header, const HelloAck& ack) {
    if (ack.status != std::to_underlying(HelloStatus::accepted))
        tally_->error(tally_->refused, refusal("the login", ack.status));
    check_header(header, ack.client_id);
    last_counted_sequence_ = header.client_sequence;
}

void LoadClient::on_logout(const Header& header, const LogoutAck& ack) {
    check_header(header, ack.client_id);
    if (answered(RequestKind::logout) == nullptr) return;
    last_counted_sequence_ = header.client_sequence;
    if (ack.status != std::to_underlying(LogoutStatus::accepted))
        tally_->error(tally_->refused, refusal("a logout", ack.status));
    logged_out_ = true;
}

void LoadClient::on_order_ack(const Header& header, const OrderAck& ack) {
    check_header(header, ack.client_id);
    const Asked* const asked = answered(RequestKind::new_order);
    if (asked == nullptr || settings_->echo) return;
    last_counted_sequence_ = header.client_sequence;
    // Status 2 is a refusal in both versions.
    if (ack.status == 0 || ack.status == std::to_underlying(OrderStatus::invalid) ||
        (!is_v2() && ack.status != std::to_underlying(OrderStatus::accepted)))
        return refused_by_phase("a new order", ack.status);
    ++tally_->taken;
    expect(header.client_sequence == asked->sequence, "ORDER_ACK must repeat the request's number");
    expect(!is_v2() || ack.client_order_id.value == asked->sequence,
           "ORDER_ACK must repeat the client order id");
    OrderId& highest = highest_ids_[is_private(ack.order_id) ? 1 : 0];
    expect(ack.order_id > highest, "order ids must ascend");
    last_order_id_ = highest = ack.order_id;
    check_time(ack.server_time_us);
    check_clock(ack.server_time_us, asked->from_ns);
    check_outcome(*asked, ack);
    LiveOrder order{.id = ack.order_id,
                    .name = asked->sequence,
                    .remaining = asked->quantity,
                    .price_e2 = asked->price_e2,
                    .side = asked->side,
                    .entered_us = ack.server_time_us};
    order.crosses = crosses_own(order);
    if (!is_v2() || owed_quantity_ > 0) fresh_ = order.id;
    if (asked->price_e2 != 0) return live_.push_back(order);
    // Version 1 does not tell when one that an auction left over ends: the oldest are forgotten.
    constexpr std::size_t k_most_markets = 65'536;
    if (markets_.size() == k_most_markets)
        markets_.erase(markets_.begin(), markets_.begin() + k_most_markets / 2);
    markets_.insert(std::ranges::upper_bound(markets_, order.id, {}, &LiveOrder::id), order);
}

// Version 1 repeats the order; version 2 contains the result of matching.
void LoadClient::check_outcome(const Asked& asked, const OrderAck& ack) {
    const bool market = asked.price_e2 == 0;
    const std::uint64_t told = market && !is_v2() ? 0 : asked.quantity;
    expect(ack.price_e2 == asked.price_e2 && ack.instrument == settings_->instrument &&
               (is_v2() ? ack.quantity <= told : ack.quantity == told),
           "ORDER_ACK must repeat price, quantity and instrument");
    if (!is_v2()) return;
    const auto outcome = ack.quantity == 0                ? V2OrderStatus::filled
                         : ack.quantity < told            ? V2OrderStatus::partially_filled
                         : market && !settings_->auctions ? V2OrderStatus::cancelled
                                                          : V2OrderStatus::placed;
    expect(ack.status == std::to_underlying(outcome),
           "the status of ORDER_ACK must match the open quantity");
    owed_quantity_ = told - std::min(told, ack.quantity);
    owed_order_ = ack.order_id;
}

void LoadClient::on_cancel_ack(const Header& header, const CancelAck& ack) {
    check_header(header, ack.client_id);
    const Asked* const asked = answered(RequestKind::cancel);
    if (asked == nullptr || settings_->echo) return;
    last_counted_sequence_ = header.client_sequence;
    expect(header.client_sequence == asked->sequence,
           "CANCEL_ACK must repeat the request's number");
    expect(ack.order_id == asked->order_id, "CANCEL_ACK must name the requested order");
    expect(!is_v2() || (ack.client_order_id.value == asked->sequence &&
                        ack.instrument == settings_->instrument),
           "CANCEL_ACK must repeat client order id and instrument");
    expect(is_v2() ||
               header.payload_length == Layout<Version::v1, CancelAck>::k_length +
                                            (settings_->capture ? k_capture_cancel_ack_tail : 0),
           "CANCEL_ACK must have the requested length");
    LiveOrder* const order = find(asked->order_id);
    const std::uint8_t not_found =
        is_v2() ? k_v2_rejected : std::to_underlying(CancelStatus::not_found);
    if (ack.status == std::to_underlying(CancelStatus::accepted)) {
        expect(order != nullptr, "only a live order can be cancelled");
        tally_->found += ending_ ? 0 : 1;
    } else if (ack.status != not_found || (is_v2() && settings_->auctions &&
                                           order != nullptr)) {  // v2 has one status for both
        refused_by_phase("a cancel", ack.status);
        if (order != nullptr) order->asked = false;
        if (!ending_) return;  // the order stays
    } else {
        tally_->not_found += 1;
        expect(order == nullptr, "a cancel may miss an order only after its fill");
    }
    if (order != nullptr) remove(*order);
}

void LoadClient::on_modify_ack(const Header& header, const ModifyAck& ack) {
    check_header(header, ack.client_id);
    const Asked* const asked = answered(RequestKind::modify);
    if (asked == nullptr || settings_->echo) return;
    last_counted_sequence_ = header.client_sequence;
    expect(header.client_sequence == asked->sequence,
           "MODIFY_ACK must repeat the request's number");
    expect(ack.old_order_id == asked->order_id, "MODIFY_ACK must name the requested order");
    expect(!is_v2() || (ack.client_order_id.value == asked->sequence &&
                        ack.instrument == settings_->instrument),
           "MODIFY_ACK must repeat client order id and instrument");
    LiveOrder* const order = find(asked->order_id);
    if (ack.status == std::to_underlying(ModifyStatus::not_found)) {
        tally_->not_found += 1;
        expect(order == nullptr, "a modify may miss an order only after its fill");
        if (order != nullptr) remove(*order);
        return;
    }
    if (ack.status != std::to_underlying(ModifyStatus::accepted)) {
        if (order != nullptr) order->asked = false;
        return refused_by_phase("a modify", ack.status);
    }
    expect(ack.price_e2 == asked->price_e2 && ack.quantity == asked->quantity,
           "MODIFY_ACK must repeat price and quantity");
    if (order == nullptr) return violation("only a live order can be modified");
    OrderId& highest = highest_ids_[is_private(ack.new_order_id) ? 1 : 0];
    expect(ack.new_order_id == order->id || ack.new_order_id > highest, "order ids must ascend");
    if (ack.new_order_id > highest) last_order_id_ = highest = ack.new_order_id;
    tally_->found += ending_ ? 0 : 1;
    // An order that keeps its id keeps its place, and does not trade.
    const bool moved = ack.new_order_id != order->id;
    if (moved) fresh_ = ack.new_order_id;
    *order = {.id = ack.new_order_id,
              .name = order->name,
              .remaining = asked->quantity,
              .price_e2 = asked->price_e2,
              .side = order->side,
              .crosses = order->crosses,
              .entered_us = moved ? std::nullopt : order->entered_us};
    if (moved) order->crosses = crosses_own(*order);
}

void LoadClient::on_trade(const Header& header, const Trade& trade) {
    check_header(header, trade.client_id);
    if (tally_->recording) tally_->trade_messages += 1;
    // In an auction a client may trade with itself: two reports of one trade.
    const std::uint64_t next = last_trade_id_ + (is_v2() && settings_->auctions ? 0 : 1);
    expect(is_v2() ? trade.trade_id >= next : trade.trade_id == next,
           is_v2() ? "trade ids must ascend" : "trade ids of a session must be 1, 2, 3, ...");
    last_trade_id_ = trade.trade_id;
    expect(header.client_sequence == last_counted_sequence_,
           "TRADE must repeat the number of the last answered request");
    LiveOrder* const order = find(trade.order_id);
    if (order == nullptr) return violation("a trade for an order that is not live");
    check_trade(trade, *order);
    if (trade.quantity == 0 || trade.quantity > order->remaining) {
        violation("a trade of zero, or of more than the open quantity");
        return remove(*order);
    }
    order->remaining -= static_cast<std::uint32_t>(trade.quantity);
    if (order->remaining == 0) remove(*order);
}

void LoadClient::check_trade(const Trade& trade, LiveOrder& order) {
    if (!settings_->verify) return;
    check_time(trade.timestamp_us);
    if (settings_->same_clock) check_clock(trade.timestamp_us, INT64_MIN);
    tally_->trades.add(order.side == LoadDraws::k_buy, trade.timestamp_us, trade.price_e2,
                       trade.quantity);
    check_price(trade, order, trades_as_new(trade, order));
    expect(!is_v2() || trade.client_order_id.value == order.name,
           "TRADE must carry the order's client order id");
    if (owed_quantity_ == 0) return;
    // An order stopped by its participant's own orders continues when they leave; others may trade
    // in between.
    const LiveOrder* const owed = find(owed_order_);
    if (trade.order_id != owed_order_ && owed != nullptr && owed->crosses) return;
    expect(trade.order_id == owed_order_ && trade.quantity <= owed_quantity_,
           "the trades announced by ORDER_ACK must follow it");
    expect(trade.timestamp_us == order.entered_us, "all messages of a command must carry its time");
    owed_quantity_ -= std::min(owed_quantity_, trade.quantity);
    if (owed_quantity_ == 0) fresh_ = {};
}

// An order trades at others' prices only by the command that entered it. The messages of a command
// carry one time, and its trades follow its answer. The answer to a modify has no time: its first
// trade gives it, if that follows at once.
bool LoadClient::trades_as_new(const Trade& trade, LiveOrder& order) {
    if (trade.order_id != fresh_) fresh_ = {};
    if (!fresh_) return false;
    if (!order.entered_us) order.entered_us = trade.timestamp_us;
    if (order.entered_us == trade.timestamp_us) return true;
    fresh_ = {};
    return false;
}

void LoadClient::check_price(const Trade& trade, const LiveOrder& order, bool as_new) {
    if (order.price_e2 == 0) return;
    expect(order.side == LoadDraws::k_buy ? trade.price_e2 <= order.price_e2
                                          : trade.price_e2 >= order.price_e2,
           "a trade price must not be worse than the order's limit");
    expect(as_new || order.crosses || settings_->auctions || trade.price_e2 == order.price_e2,
           "a resting order must trade at its own price, but in auctions (--auctions)");
}

bool LoadClient::crosses_own(const LiveOrder& order) const {
    if (!settings_->verify) return false;
    if (settings_->keys_are_shared) return true;  // the orders of other clients are unknown here
    return std::ranges::any_of(live_, [&order](const LiveOrder& other) {
        if (other.side == order.side) return false;
        const LiveOrder& buy = order.side == LoadDraws::k_buy ? order : other;
        const LiveOrder& sell = order.side == LoadDraws::k_buy ? other : order;
        return buy.price_e2 >= sell.price_e2;
    });
}

void LoadClient::check_time(std::uint64_t time_us) {
    expect(time_us >= last_time_us_, "answer times must not go back");
    last_time_us_ = time_us;
}

// If the exchange shares our clock: the time is not before the request, and not after its answer
// was read.
void LoadClient::check_clock(std::uint64_t time_us, std::int64_t asked_ns) {
    constexpr std::int64_t k_slack_ns = 2'000'000;  // for a clock under correction
    if (!settings_->same_clock) return;
    const auto time_ns = static_cast<std::int64_t>(std::min<std::uint64_t>(
                             time_us, std::numeric_limits<std::int64_t>::max() / 1'000)) *
                         1'000;
    expect(time_ns <= calendar_ns_ + k_slack_ns, "a report must not precede the event's time");
    expect(asked_ns == INT64_MIN || time_ns >= asked_ns + calendar_ahead_ns_ - k_slack_ns,
           "an answer's time must not precede its request");
}

void LoadClient::on_error(const Header&, const Error& error) {
    tally_->error(tally_->refused, fmt::format("client {}: ERROR {}", number_, error.code));
}

void LoadClient::on_timeout(const Header&, const SessionTimeout&) {
    tally_->error(tally_->refused, fmt::format("client {}: SESSION_TIMEOUT", number_));
}

void LoadClient::check_header(const Header& header, ClientId named) {
    if (settings_->echo) return;
    expect(header.server_sequence == last_server_sequence_ + 1,
           "answer numbers must ascend by one");
    expect(named == wire_.client_id(), "answers must carry the client's own id");
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

std::string LoadClient::refusal(std::string_view request, unsigned status) const {
    return fmt::format("client {}: {} was refused with status {}", number_, request, status);
}

void LoadClient::refused_by_phase(std::string_view request, unsigned status) {
    tally_->refuse(*settings_, refusal(request, status));
}

}  // namespace damrak::client
