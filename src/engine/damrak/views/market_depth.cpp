#include <damrak/views/market_depth.hpp>

#include <damrak/base/assert.hpp>

namespace damrak::views {

MarketDepth::MarketDepth(const EngineConfig& config)
    : maximum_instruments_(config.maximum_instruments),
      pool_(config.maximum_orders),
      orders_(config.maximum_orders + std::size_t{1}),
      ids_(config.maximum_orders) {}

bool MarketDepth::on_event(const Event& event) {
    switch (event.kind) {
        case EventKind::instrument_added:
            add_instrument(event.instrument);
            return true;
        case EventKind::replaced:
            return replace(event);
        case EventKind::accepted:
        case EventKind::executed:
        case EventKind::cancelled:
        case EventKind::expired:
        case EventKind::triggered:
        case EventKind::refreshed:
            return show(event.instrument, event.order_id, event.side, event.price, event.displayed);
        case EventKind::rested:
            return move(event);
        default:
            return false;
    }
}

PublicLevel MarketDepth::best(InstrumentId id, Side side) const {
    PublicLevel found{};
    for_each_level(id, side, [&](const PublicLevel& level) {
        found = level;
        return false;
    });
    return found;
}

std::uint32_t MarketDepth::find(InstrumentId instrument, OrderId id) const {
    return ids_.find(ids_.key_of(instrument, id), [&](std::uint32_t i) {
        return orders_[i].id == id && orders_[i].instrument == instrument;
    });
}

void MarketDepth::add_instrument(InstrumentId id) {
    if (books_.size() < id.value) books_.resize(id.value);
    books_[id.value - 1].exists = true;
}

// The public now sees this quantity of the order.
bool MarketDepth::show(InstrumentId instrument, OrderId id, Side side, Price price,
                       Quantity displayed) {
    const std::uint32_t index = find(instrument, id);
    if (index != 0 && displayed < orders_[index].quantity) return show_less(index, displayed);
    if (index == 0) {
        if (displayed.value == 0) return false;
        const std::uint32_t fresh = pool_.take();
        orders_[fresh] = {id, price, displayed, instrument, side};
        ids_.insert(ids_.key_of(instrument, id), fresh);
        change(orders_[fresh], displayed, 1);
        return true;
    }
    const Quantity more = displayed - orders_[index].quantity;
    orders_[index].quantity = displayed;
    change(orders_[index], more, 0);
    return more.value != 0;
}

bool MarketDepth::show_less(std::uint32_t index, Quantity displayed) {
    Displayed& order = orders_[index];
    change(order, displayed - order.quantity, displayed.value == 0 ? -1 : 0);
    order.quantity = displayed;
    if (displayed.value == 0) {
        ids_.erase(ids_.key_of(order.instrument, order.id), index);
        pool_.give_back(index);
    }
    return true;
}

// A displayed order may have followed another price.
bool MarketDepth::move(const Event& event) {
    const std::uint32_t old = find(event.instrument, event.order_id);
    const bool left = old != 0 && orders_[old].price != event.price && show_less(old, Quantity{0});
    return show(event.instrument, event.order_id, event.side, event.price, event.displayed) || left;
}

// The order may have another price under its new id, which may equal the old one.
bool MarketDepth::replace(const Event& event) {
    const std::uint32_t old = find(event.instrument, event.order_id);
    if (old != 0 && event.new_order_id() == event.order_id && orders_[old].price == event.price)
        return show(event.instrument, event.order_id, event.side, event.price, event.displayed);
    const bool left = old != 0 && show_less(old, Quantity{0});
    return show(event.instrument, event.new_order_id(), event.side, event.price, event.displayed) ||
           left;
}

void MarketDepth::change(const Displayed& order, Quantity more, std::int32_t orders) {
    Levels& levels = books_[order.instrument.value - 1].sides[index_of(order.side)];
    const auto level = levels.try_emplace(price_key(order.side, order.price.value)).first;
    level->second.quantity += more;
    level->second.orders += static_cast<std::uint32_t>(orders);
    DAMRAK_ASSERT(level->second.quantity.value >= 0);
    if (level->second.orders == 0) levels.erase(level);
}

}  // namespace damrak::views
