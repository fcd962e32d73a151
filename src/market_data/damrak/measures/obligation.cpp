#include <damrak/measures/obligation.hpp>

#include <algorithm>

namespace damrak::measures {
namespace {

constexpr double k_seconds_a_ns = 1e-9;

}  // namespace

QuotingWatch::QuotingWatch(const Obligation& obligation, std::int64_t tick,
                           std::vector<bool> is_maker, Timestamp begin)
    : is_(obligation), tick_(tick), begin_(begin) {
    for (const bool is_one : is_maker) maker_of_.push_back(is_one ? ++result_.makers : 0);
    makers_.resize(result_.makers);
    for (Maker& maker : makers_) maker.since = begin;
}

void QuotingWatch::on_event(const Event& event, Timestamp time) {
    if (event.participant.value == 0 || event.participant.value > maker_of_.size()) return;
    const std::size_t place = maker_of_[event.participant.value - 1];
    if (place == 0) return;
    Maker& maker = makers_[place - 1];
    settle(maker, time);
    const std::uint64_t order = event.order_id.value;
    switch (event.kind) {
        case EventKind::replaced:
            hide(maker, order);
            show(maker, event.new_order_id().value,
                 {event.side, event.price.value, event.displayed.value});
            break;
        case EventKind::accepted:
        case EventKind::triggered:
        case EventKind::refreshed:
        case EventKind::rested:
            hide(maker, order);
            show(maker, order, {event.side, event.price.value, event.displayed.value});
            break;
        case EventKind::executed:
        case EventKind::cancelled:
        case EventKind::expired:
            // The price of an execution is not that of the order.
            if (const auto found = maker.orders.find(order); found != maker.orders.end()) {
                Resting left = found->second;
                left.displayed = event.displayed.value;
                hide(maker, order);
                if (event.remaining.value > 0) show(maker, order, left);
            }
            break;
        default:
            return;
    }
    judge(maker);
}

// Orders that display nothing are kept for their price: they may rest later.
void QuotingWatch::show(Maker& maker, std::uint64_t order, const Resting& resting) {
    maker.orders[order] = resting;
    if (resting.displayed > 0)
        maker.displayed[static_cast<std::size_t>(resting.side)][resting.price] += resting.displayed;
}

void QuotingWatch::hide(Maker& maker, std::uint64_t order) {
    const auto found = maker.orders.find(order);
    if (found == maker.orders.end()) return;
    const Resting& was = found->second;
    if (was.displayed > 0) {
        auto& levels = maker.displayed[static_cast<std::size_t>(was.side)];
        const auto level = levels.find(was.price);
        level->second -= was.displayed;
        if (level->second == 0) levels.erase(level);
    }
    maker.orders.erase(found);
}

void QuotingWatch::judge(Maker& maker) const {
    maker.spread_ticks = -1;
    std::int64_t bid = 0;
    std::int64_t ask = 0;
    std::int64_t sum = 0;
    const auto& bids = maker.displayed[static_cast<std::size_t>(Side::buy)];
    const auto& asks = maker.displayed[static_cast<std::size_t>(Side::sell)];
    for (auto level = bids.rbegin(); level != bids.rend() && sum < is_.least_quantity; ++level) {
        sum += level->second;
        bid = level->first;
    }
    if (sum < is_.least_quantity) return;
    sum = 0;
    for (auto level = asks.begin(); level != asks.end() && sum < is_.least_quantity; ++level) {
        sum += level->second;
        ask = level->first;
    }
    if (sum >= is_.least_quantity) maker.spread_ticks = (ask - bid) / tick_;
}

void QuotingWatch::settle(Maker& maker, Timestamp until) {
    while (maker.since < until) {
        const std::int64_t gone = (maker.since - begin_).value;
        const std::int64_t next = (gone / is_.period_ns + 1) * is_.period_ns;
        const Timestamp stop{std::min(begin_.value + next, until.value)};
        pass(maker, (stop - maker.since).value);
        maker.since = stop;
        if (stop.value == begin_.value + next) close_period(maker);
    }
}

void QuotingWatch::pass(Maker& maker, std::int64_t duration_ns) {
    if (!is_trading_) return;
    maker.period_trading_ns += duration_ns;
    result_.trading_s += static_cast<double>(duration_ns) * k_seconds_a_ns;
    if (maker.spread_ticks < 0) return;
    result_.spread.add(static_cast<double>(maker.spread_ticks), duration_ns);
    if (maker.spread_ticks > is_.most_spread_ticks) return;
    maker.period_present_ns += duration_ns;
    result_.present_s += static_cast<double>(duration_ns) * k_seconds_a_ns;
}

void QuotingWatch::close_period(Maker& maker) {
    const auto trading = static_cast<double>(maker.period_trading_ns);
    const auto present = static_cast<double>(maker.period_present_ns);
    maker.period_trading_ns = 0;
    maker.period_present_ns = 0;
    if (trading == 0) return;  // halted all the time
    ++result_.periods;
    const bool is_met = present >= is_.presence * trading;
    if (is_met) ++result_.met;
    result_.payment += is_met ? is_.reward : -is_.penalty;
}

void QuotingWatch::set_trading(bool is_trading, Timestamp time) {
    if (is_trading == is_trading_) return;
    for (Maker& maker : makers_) settle(maker, time);
    is_trading_ = is_trading;
}

QuotingResult QuotingWatch::finish(Timestamp end) {
    for (Maker& maker : makers_) settle(maker, end);
    return result_;
}

}  // namespace damrak::measures
