#include <damrak/views/queue_position.hpp>

namespace damrak::views {

std::optional<QueuePosition> queue_position(const Engine& engine, InstrumentId instrument,
                                            OrderId id) {
    const InstrumentState* const in = engine.instrument(instrument);
    if (in == nullptr) return std::nullopt;
    const BookStore& store = engine.store();
    for (const Side side : {Side::buy, Side::sell}) {
        const Order* wanted = nullptr;
        in->book.for_each_order(store, side, [&](OrderIndex index) {
            if (store.order(index).id != id) return true;
            wanted = &store.order(index);
            return false;
        });
        if (wanted == nullptr) continue;
        QueuePosition position{.is_displayed = !wanted->terms().undisplayed()};
        in->book.for_each_order(store, side, [&](OrderIndex index) {
            const Order& order = store.order(index);
            if (order.tick != wanted->tick || &order == wanted) return true;
            const bool displayed = !order.terms().undisplayed();
            const bool before = displayed == position.is_displayed
                                    ? order.arrival() < wanted->arrival()
                                    : displayed;
            if (!before) return true;
            ++position.orders_ahead;
            position.quantity_ahead += order.quantity;
            return true;
        });
        return position;
    }
    return std::nullopt;
}

}  // namespace damrak::views
