#include <damrak/replay/detail/venue_figures.hpp>

#include <algorithm>

#include <damrak/replay/detail/recorded_orders.hpp>

namespace damrak::replay {

namespace {

std::uint64_t count(Quantity quantity) { return static_cast<std::uint64_t>(quantity.value); }

EnteredOrders& entered(VenueInstrument& of, OrderId id) {
    return detail::is_incoming(id) ? of.incoming : of.resting;
}

bool can_trade(const InstrumentState& in) {
    return in.state == TradingState::trading && (in.phase == Phase::continuous || in.sealed);
}

}  // namespace

std::optional<double> VenueInstrument::average_price() const {
    if (volume() == 0) return std::nullopt;
    return value / static_cast<double>(volume());
}

void VenueFigures::on_trade(VenueInstrument& of, const Event& event) {
    EnteredOrders& orders = entered(of, event.order_id);
    orders.filled_quantity += count(event.quantity);
    if (event.remaining == Quantity{}) ++orders.filled_orders;
    if (!has_flag(event, EventFlags::k_aggressor)) return;  // of the two, one counts
    measures::TradeCount& trades =
        has_flag(event, EventFlags::k_cross) ? of.auctions : of.continuous;
    trades.add(event.quantity);
    of.value += static_cast<double>(event.price.value) * static_cast<double>(event.quantity.value);
    if (!of.first_trade) of.first_trade = of.low_trade = of.high_trade = event.price;
    of.last_trade = event.price;
    of.low_trade = std::min(of.low_trade, event.price);
    of.high_trade = std::max(of.high_trade, event.price);
}

void VenueFigures::on_top(VenueInstrument& of, const InstrumentState& in, Timestamp now,
                          const Engine& engine) const {
    if (has_ended_) return;
    const DepthLevel bid = in.book.best(engine.store(), Side::buy);
    const DepthLevel ask = in.book.best(engine.store(), Side::sell);
    std::optional<std::int64_t> spread;
    if (bid.quantity != Quantity{} && ask.quantity != Quantity{})
        spread = (in.price_of(ask.tick) - in.price_of(bid.tick)).value;
    const bool counts = can_trade(in) && spread.value_or(0) >= 0;
    of.spread.update(now.value, counts ? spread : std::nullopt);
    of.open.update(now.value, can_trade(in));
}

void VenueFigures::on_event(const Event& event, Timestamp now, const Engine& engine) {
    const InstrumentState* const in = engine.instrument(event.instrument);
    if (in == nullptr) return;
    VenueInstrument& of = instruments_[event.instrument.value - 1];
    switch (event.kind) {
        case EventKind::accepted: {
            EnteredOrders& orders = entered(of, event.order_id);
            ++orders.orders;
            orders.quantity += count(event.quantity);
            break;
        }
        case EventKind::replaced:
            ++of.resting.orders;
            of.resting.quantity += count(event.remaining);
            break;
        case EventKind::rejected:
            ++of.rejected[static_cast<std::size_t>(event.reason)];
            break;
        case EventKind::executed:
            on_trade(of, event);
            break;
        case EventKind::uncrossed:
            if (event.reference != 0) ++of.auctions_held;
            break;
        case EventKind::phase_changed:
            if (in->phase == Phase::call &&
                (in->call == CallKind::interruption || in->call == CallKind::reopening))
                ++of.interruptions;
            break;
        default:
            break;
    }
    on_top(of, *in, now, engine);
}

void VenueFigures::end_of_recording(Timestamp now) {
    has_ended_ = true;
    for (VenueInstrument& of : instruments_) {
        of.spread.update(now.value, std::nullopt);
        of.open.update(now.value, false);
    }
}

}  // namespace damrak::replay
