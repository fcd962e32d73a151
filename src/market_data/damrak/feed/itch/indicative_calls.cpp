#include <damrak/feed/itch/indicative_calls.hpp>

#include <algorithm>
#include <cstddef>

#include <damrak/engine/auction_bounds.hpp>

namespace damrak::feed {

namespace {

bool rests(const Event& event) {
    return has_flag(event, EventFlags::k_on_book) && event.remaining.value > 0;
}

IndicativeCalls::Order order_of(const Event& event) {
    const bool is_market = event.order_type == OrderType::market;
    return {.side = event.side,
            .limit = is_market ? std::nullopt : std::optional{event.price},
            .open = event.remaining,
            .displayed = event.displayed.value > 0,
            .held = has_flag(event, EventFlags::k_held),
            .only_crosses = is_for_auctions(event.time_in_force)};
}

}  // namespace

IndicativeCalls::Instrument& IndicativeCalls::of(InstrumentId id) {
    if (instruments_.size() < id.value) instruments_.resize(id.value);
    return instruments_[id.value - 1];
}

void IndicativeCalls::load(const Engine& engine, InstrumentId id) {
    const InstrumentState& from = *engine.instrument(id);
    Instrument& in = of(id);
    for (const Side side : {Side::buy, Side::sell})
        from.book.for_each_order(engine.store(), side, [&](OrderIndex index) {
            const damrak::Order& order = engine.store().order(index);
            const OrderAttributes terms = order.terms();
            if (!terms.undisplayed()) return true;
            const bool is_market = terms.type() == OrderType::market;
            put(in, order.id,
                {.side = side,
                 .limit = is_market ? std::nullopt : std::optional{from.price_of(order.tick)},
                 .open = order.quantity + engine.store().extension(order.extension).reserve,
                 .held = terms.has(OrderAttributes::k_held),
                 .only_crosses = is_for_auctions(terms.time_in_force())});
            return true;
        });
}

void IndicativeCalls::on_event(const Event& event) {
    Instrument& in = of(event.instrument);
    switch (event.kind) {
        case EventKind::replaced:
        case EventKind::accepted:
        case EventKind::triggered:
        case EventKind::refreshed:
        case EventKind::rested: {
            const bool is_replaced = event.kind == EventKind::replaced;
            take(in, event.order_id);
            // While no call runs, the publisher has the displayed orders.
            if (rests(event) && (in.call || event.displayed.value == 0))
                put(in, is_replaced ? event.new_order_id() : event.order_id, order_of(event));
            break;
        }
        case EventKind::executed:
        case EventKind::cancelled:
        case EventKind::expired: {
            const auto found = in.orders.find(event.order_id.value);
            if (found == in.orders.end()) return;
            Order order = found->second;
            order.open = event.remaining;
            order.held = has_flag(event, EventFlags::k_held);
            take(in, event.order_id);
            if (order.open.value > 0) put(in, event.order_id, order);
            break;
        }
        default:
            return;
    }
    touch(event.instrument);
}

void IndicativeCalls::touch(InstrumentId id) {
    if (runs(id) && std::ranges::find(touched_, id) == touched_.end()) touched_.push_back(id);
}

void IndicativeCalls::put(Instrument& in, OrderId id, const Order& order) {
    in.orders[id.value] = order;
    if (in.call) in.call->add(order);
}

void IndicativeCalls::take(Instrument& in, OrderId id) {
    const auto found = in.orders.find(id.value);
    if (found == in.orders.end()) return;
    if (in.call) in.call->remove(found->second);
    in.orders.erase(found);
}

void IndicativeCalls::set_band(Call& call, const CallTerms& terms) {
    const auction::PriceRange band{terms.band.lower, terms.band.upper};
    const auction::PriceRange& valid = call.terms.threshold;
    call.band = {std::max(valid.low, band.low), std::min(valid.high, band.high)};
    for (const Side side : {Side::buy, Side::sell})
        if (const Price worst = worst_price(*terms.definition, side, band);
            worst != terms.definition->floor())
            call.edges[static_cast<std::size_t>(side)] = worst;
}

std::optional<Price> IndicativeCalls::Call::limit_of(const Order& order) const {
    const auto& edge = edges[static_cast<std::size_t>(order.side)];
    if (!order.limit || !edge) return order.limit;
    return order.side == Side::buy ? std::min(*order.limit, *edge) : std::max(*order.limit, *edge);
}

// Orders that are not displayed join the call at once.
void IndicativeCalls::open(InstrumentId id, const CallTerms& terms) {
    end(id);
    Instrument& in = of(id);
    in.call = std::make_unique<Call>(Call{.levels = {},
                                          .auction_orders = {},
                                          .ticks = auction::TickTable{*terms.definition},
                                          .terms = {.rule = terms.rule}});
    in.call->terms.ticks = &in.call->ticks;
    in.call->terms.threshold = {terms.definition->floor() + Price{1},
                                terms.definition->maximum_price};
    if (terms.reference) in.call->terms.reference = auction::Midpoint::at(*terms.reference);
    if (terms.band.exists()) set_band(*in.call, terms);
    for (const auto& [number, order] : in.orders) in.call->add(order);
    touched_.push_back(id);
}

void IndicativeCalls::end(InstrumentId id) {
    Instrument& in = of(id);
    in.call.reset();
    std::erase_if(in.orders, [](const auto& entry) { return entry.second.displayed; });
    std::erase(touched_, id);
}

auction::Equilibrium IndicativeCalls::value(InstrumentId id) const {
    const Call& call = *instruments_[id.value - 1].call;
    return call.value(call.levels);
}

std::optional<Price> IndicativeCalls::far_price(InstrumentId id) const {
    const Call& call = *instruments_[id.value - 1].call;
    return call.value(call.auction_orders).price;
}

}  // namespace damrak::feed
