#include <damrak/modify/modifier.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/wire/itch/descriptor.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::modify {

namespace itch = wire::itch;

namespace {

constexpr std::uint32_t k_most_shares = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Modifier::Modifier(Modification modification, std::uint16_t known_levels, Take take)
    : modification_(std::move(modification)), take_(std::move(take)) {
    if (known_levels > 0) refuse_limited_depth(known_levels);
}

void Modifier::put(const itch::Message& message) {
    if (!error_.empty()) return;
    report_.add(Count::messages_in);
    std::visit(
        [this](const auto& one) {
            if (!has_begun_ && one.timestamp_ns >= modification_.window.from_ns) begin_window();
            release(one.timestamp_ns);
            on(one);
        },
        message);
}

void Modifier::finish() {
    if (error_.empty()) release(std::numeric_limits<std::int64_t>::max());
}

// Depth: below the levels that are known there are others, which orders left out, delayed or
// merged by a coarser grid would bring up.
void Modifier::refuse_limited_depth(std::uint16_t levels) {
    const Modification& m = modification_;
    const std::string_view table = m.thin_share > 0        ? "thin"
                                   : m.drop.takes_orders() ? "drop"
                                   : m.tick_e4 > 1         ? "tick"
                                   : m.delay.most_ns > 0   ? "delay"
                                                           : "";
    if (table.empty()) return;
    error_ = fmt::format(
        "{}: [{}]{} would bring up price levels that are not known: of each side the day has the "
        "best {} alone; leave it out, or take a day of all levels",
        m.file, table, table == "drop" ? " of orders" : "", levels);
}

// The orders that rest are entered again, so that the day begins with its books.
void Modifier::begin_window() {
    has_begun_ = true;
    const std::int64_t from_ns = modification_.window.from_ns;
    if (from_ns == 0) return;
    const std::uint16_t mark = marks_.are_told() ? itch::k_made_by_view : std::uint16_t{0};
    for (const auto& [key, order] : orders_.queued()) {
        if (order->left_out_by) {
            report_.add(*order->left_out_by);
            continue;
        }
        report_.add(Count::window_carried);
        const itch::AddOrder entered{.stock_locate = key.locate,
                                     .tracking_number = mark,
                                     .timestamp_ns = from_ns,
                                     .order_ref = key.reference,
                                     .side = order->side,
                                     .shares = scaled(order->shares),
                                     .stock = order->stock,
                                     .price_e4 = order->price_e4};
        order->last_out_ns = from_ns;
        if (!order->attribution) {
            pass(entered);
            continue;
        }
        pass(itch::AddOrderAttributed{.stock_locate = entered.stock_locate,
                                      .tracking_number = mark,
                                      .timestamp_ns = from_ns,
                                      .order_ref = entered.order_ref,
                                      .side = entered.side,
                                      .shares = entered.shares,
                                      .stock = entered.stock,
                                      .price_e4 = entered.price_e4,
                                      .attribution = *order->attribution});
    }
}

bool Modifier::is_inside(std::int64_t time_ns) const {
    return has_begun_ && time_ns <= modification_.window.until_ns;
}

// Trades without an order of the book, auctions, the market.

template <class M>
void Modifier::leave_trade_out(const M& message, Count by) {
    trades_left_out_.push_back(message.match_number);
    report_.add(by);
}

void Modifier::on(const itch::Trade& message) {
    if (!is_inside(message.timestamp_ns)) return leave_trade_out(message, Count::window_outside);
    if (modification_.drop.hidden_trades) return leave_trade_out(message, Count::drop_messages);
    if (draw(message.match_number, Purpose::hidden_trades) < modification_.thin_share)
        return leave_trade_out(message, Count::thin_trades);
    itch::Trade sent = message;
    scale(sent.shares);
    regrid_nearest(sent.price_e4);
    const bool is_delayed = modification_.delay.of == Delayed::orders;
    send_at(message.timestamp_ns + (is_delayed ? delay_of(message.match_number) : 0), sent);
}

void Modifier::on(const itch::CrossTrade& message) {
    if (!is_inside(message.timestamp_ns)) return leave_trade_out(message, Count::window_outside);
    if (modification_.drop.crosses) return leave_trade_out(message, Count::drop_messages);
    itch::CrossTrade sent = message;
    scale(sent.shares);
    regrid_nearest(sent.cross_price_e4);
    send_at(message.timestamp_ns, sent);
}

// Comes after its trade, which may be delayed.
void Modifier::on(const itch::BrokenTrade& message) {
    if (!is_inside(message.timestamp_ns)) return report_.add(Count::window_outside);
    if (std::ranges::find(trades_left_out_, message.match_number) != trades_left_out_.end())
        return report_.add(Count::gone_with_them);
    send_at(message.timestamp_ns + modification_.delay.most_ns, message);
}

void Modifier::on(const itch::NetOrderImbalance& message) {
    if (!is_inside(message.timestamp_ns)) return report_.add(Count::window_outside);
    if (modification_.drop.imbalances) return report_.add(Count::drop_messages);
    itch::NetOrderImbalance sent = message;
    scale(sent.paired_shares);
    scale(sent.imbalance_shares);
    regrid_nearest(sent.far_price_e4);
    regrid_nearest(sent.near_price_e4);
    regrid_nearest(sent.reference_price_e4);
    send_at(message.timestamp_ns, sent);
}

void Modifier::on(const itch::StockTradingAction& message) {
    if (modification_.drop.halts && message.trading_state != 'T')
        return report_.add(Count::drop_messages);
    send_at(message.timestamp_ns, message);
}

void Modifier::on(const itch::StockDirectory& message) {
    if (marks_.are_told() && message.tracking_number > 0)
        refuse_limited_depth(message.tracking_number);
    if (error_.empty()) send_at(message.timestamp_ns, message);
}

void Modifier::on(const itch::SystemEvent& message) {
    marks_.note(message);
    // Nothing follows the end of messages.
    if (message.event_code == 'C') {
        while (!waiting_.is_empty()) {
            report_.add(Count::delay_cut);
            itch::Message waited = waiting_.pop().second;
            std::visit([&](auto& one) { one.timestamp_ns = message.timestamp_ns; }, waited);
            pass(waited);
        }
    }
    send_at(message.timestamp_ns, message);
}

template <class M>
void Modifier::on(const M& message) {
    constexpr bool k_is_halt = std::is_same_v<M, itch::OperationalHalt> ||
                               std::is_same_v<M, itch::LuldAuctionCollar> ||
                               std::is_same_v<M, itch::MwcbStatus>;
    if (k_is_halt && modification_.drop.halts) return report_.add(Count::drop_messages);
    send_at(message.timestamp_ns, message);
}

// Draws, sizes and prices.

double Modifier::draw(std::uint64_t key, Purpose purpose) const {
    const std::uint64_t stream =
        mix_bits(modification_.seed + std::to_underlying(purpose) * RandomStream::k_step);
    const std::uint64_t bits = RandomStream{stream ^ mix_bits(key)}.next();
    return static_cast<double>(bits >> 11U) * 0x1p-53;
}

std::int64_t Modifier::delay_of(std::uint64_t key) const {
    const Delay& delay = modification_.delay;
    const auto width = static_cast<double>(delay.most_ns - delay.least_ns);
    return delay.least_ns + static_cast<std::int64_t>(draw(key, Purpose::delays) * width);
}

// Of open shares, never of what a message takes: this is the difference before and after, so that
// the life of an order adds up whatever the rounding.
std::uint64_t Modifier::scaled(std::uint64_t shares) const {
    const double factor = modification_.scale_factor;
    if (factor == 1 || shares == 0) return shares;
    return static_cast<std::uint64_t>(
        std::max(std::llround(static_cast<double>(shares) * factor), 1LL));
}

std::uint32_t Modifier::scaled(std::uint32_t shares) const {
    return static_cast<std::uint32_t>(
        std::min(scaled(std::uint64_t{shares}), std::uint64_t{k_most_shares}));
}

void Modifier::scale(std::uint64_t& shares) {
    if (std::exchange(shares, scaled(shares)) != shares) report_.add(Count::scale_sizes);
}

void Modifier::scale(std::uint32_t& shares) {
    const std::uint32_t made = scaled(shares);
    if (made == k_most_shares && made != shares) report_.add(Count::scale_capped);
    if (std::exchange(shares, made) != made) report_.add(Count::scale_sizes);
}

void Modifier::regrid_nearest(std::uint32_t& price_e4) {
    const std::uint64_t tick = modification_.tick_e4;
    const std::uint64_t nearest = (price_e4 + tick / 2) / tick * tick;
    // No price stays none, and a price stays one.
    const std::uint64_t made = price_e4 == 0 ? 0 : std::max(nearest, tick);
    if (made == price_e4) return;
    report_.add(Count::tick_others);
    price_e4 = static_cast<std::uint32_t>(made);
}

// Times.

void Modifier::send_at(std::int64_t time_ns, const itch::Message& message) {
    std::visit(
        [&](const auto& one) {
            if (time_ns <= one.timestamp_ns) return pass(message);
            report_.add(Count::delay_messages);
            waiting_.push(std::min(time_ns, itch::k_max_timestamp_ns), message);
        },
        message);
}

void Modifier::release(std::int64_t until_ns) {
    while (waiting_.has_until(until_ns)) {
        auto [time_ns, message] = waiting_.pop();
        std::visit([time_ns](auto& one) { one.timestamp_ns = time_ns; }, message);
        pass(message);
    }
}

void Modifier::pass(const itch::Message& message) {
    report_.add(Count::messages_out);
    take_(message);
}

}  // namespace damrak::modify
