#include <damrak/generator/detail/flow_book.hpp>

#include <iterator>

namespace damrak::generator::detail {

void FlowBook::rest(FlowBookOrder order) {
    order.live_index = live_.size();
    Queue& queue = order.side == Side::buy ? bids_[order.price_ticks] : asks_[order.price_ticks];
    queue.push_back(order);
    live_.push_back(std::prev(queue.end()));
}

void FlowBook::remove(Place place) {
    forget(place);
    if (place->side == Side::buy) {
        unlink(bids_, place);
    } else {
        unlink(asks_, place);
    }
}

template <class Levels>
void FlowBook::unlink(Levels& levels, Place place) {
    const auto level = levels.find(place->price_ticks);
    level->second.erase(place);
    if (level->second.empty()) levels.erase(level);
}

void FlowBook::forget(Place place) {
    const std::size_t index = place->live_index;
    live_[index] = live_.back();
    live_[index]->live_index = index;
    live_.pop_back();
}

}  // namespace damrak::generator::detail
