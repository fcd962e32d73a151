#include <damrak/explain/detail/order_mirror.hpp>

namespace damrak::explain {
namespace {

bool tells_limit(const Event& event) {
    return event.kind != EventKind::executed && event.kind != EventKind::cancelled &&
           event.kind != EventKind::expired;
}

bool loses_turn(const Event& event, const Standing& before, const Standing& after) {
    if (!before.rests || event.kind == EventKind::refreshed) return true;
    if (before.place.is_hidden != after.place.is_hidden) return true;
    return event.kind == EventKind::replaced &&
           (event.new_order_id() != event.order_id || before.limit != after.limit ||
            before.open < after.open);
}

}  // namespace

OrderMirror::Change OrderMirror::apply(const Event& event) {
    switch (event.kind) {
        case EventKind::accepted:
        case EventKind::executed:
        case EventKind::cancelled:
        case EventKind::replaced:
        case EventKind::expired:
        case EventKind::triggered:
        case EventKind::refreshed:
        case EventKind::rested:
            break;
        default:
            return {};
    }
    Change change;
    change.id = event.kind == EventKind::replaced ? event.new_order_id() : event.order_id;
    if (!change.id) return {};  // the side of a recorded trade that has no order
    const auto found = orders_.find(event.order_id.value);
    if (found != orders_.end()) change.before = found->second;
    Standing& after = change.after;
    after = change.before;
    if (event.kind == EventKind::accepted) after.ordered = event.quantity;
    if (event.kind == EventKind::replaced) after.ordered = event.remaining;
    after.instrument = event.instrument;
    after.participant = event.participant;
    after.side = event.side;
    after.type = event.order_type;
    if (tells_limit(event)) after.limit = event.price;
    after.open = event.remaining;
    after.displayed = event.displayed;
    after.rests = has_flag(event, EventFlags::k_on_book) && event.remaining.value > 0;
    after.place.is_hidden = has_flag(event, EventFlags::k_hidden);
    after.place.price_rank = after.side == Side::buy ? -after.limit.value : after.limit.value;
    change.keeps_place =
        change.before.rests && after.rests && !loses_turn(event, change.before, after);
    if (after.rests && !change.keeps_place) after.place.turn = ++turns_;
    if (found != orders_.end() && change.id != event.order_id) orders_.erase(found);
    if (event.remaining.value > 0)
        orders_[change.id.value] = after;
    else
        orders_.erase(change.id.value);
    return change;
}

}  // namespace damrak::explain
