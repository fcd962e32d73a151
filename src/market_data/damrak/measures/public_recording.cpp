#include <damrak/measures/public_recording.hpp>

#include <algorithm>
#include <utility>

namespace damrak::measures {

using order_flow::At;

std::optional<PublicRecording::Place> PublicRecording::place_of(InstrumentId instrument,
                                                                OrderId id) const {
    const Order* const order = builder_.find(instrument, id);
    if (order == nullptr) return std::nullopt;
    return Place{order->terms().side(), builder_.price_of(*order)};
}

bool PublicRecording::begins(const At& at) {
    if (at.time_ns < begin_ns_) return false;
    reach(at.time_ns);
    if (has_begun_) return true;
    has_begun_ = true;
    tell_book({begin_ns_ > 0 ? begin_ns_ : at.time_ns, at.instrument});
    return true;
}

void PublicRecording::measure_with(Measures& others, std::int64_t begin_ns) {
    measures_ = &others;
    begin_ns_ = last_ns_ = begin_ns;
    has_begun_ = builder_.instruments() > 0;
    if (has_begun_) tell_book({begin_ns, InstrumentId{1}});
}

views::PublicChange PublicRecording::change_of(const At& at) const {
    views::PublicChange change{};
    change.time = {at.time_ns};
    change.trading_state = is_halted_ ? TradingState::halted : TradingState::trading;
    const order_flow::BuiltBook& built = builder_.book(at.instrument);
    const DepthLevel bid = built.book.best(builder_.store(), Side::buy);
    const DepthLevel ask = built.book.best(builder_.store(), Side::sell);
    change.bid = built.scale.price_of(bid.tick);
    change.ask = built.scale.price_of(ask.tick);
    change.bid_quantity = bid.quantity;
    change.ask_quantity = ask.quantity;
    return change;
}

void PublicRecording::tell_book(const At& at) {
    const order_flow::BuiltBook& built = builder_.book(at.instrument);
    for (const Side side : {Side::buy, Side::sell})
        built.book.for_each_level(builder_.store(), side, [&](const DepthLevel& level) {
            tell_level(at, {side, built.scale.price_of(level.tick)});
            return true;
        });
}

void PublicRecording::tell_level(const At& at, const Place& place) {
    views::PublicChange change = change_of(at);
    change.kind = views::PublicChange::Kind::level;
    change.side = place.side;
    change.price = place.price;
    change.quantity = builder_.displayed_at(at.instrument, place.side, place.price);
    static_cast<void>(measures_->on_change(change));
}

void PublicRecording::tell_revealed(const At& at, const std::optional<Place>& own) {
    for (const Place& place : std::exchange(revealed_, {}))
        if (place != own) tell_level(at, place);
}

void PublicRecording::tell_trade(const At& at, Side aggressor, Price price, Quantity quantity) {
    views::PublicChange change = change_of(at);
    change.kind = views::PublicChange::Kind::trade;
    change.side = aggressor;
    change.price = price;
    change.quantity = quantity;
    static_cast<void>(measures_->on_change(change));
}

void PublicRecording::tell_message(const At& at, OrderMessage::Kind kind, Quantity quantity,
                                   OrderId order, const Place& place) {
    measures_->on_message({.kind = kind,
                           .time = {at.time_ns},
                           .quantity = quantity,
                           .order = order,
                           .side = place.side,
                           .price = place.price});
}

bool PublicRecording::on_add(const At& at, OrderId id, Side side, Price price, Quantity quantity) {
    if (at.by_view) {
        revealed_.push_back({side, price});
        return builder_.on_add(at, id, side, price, quantity);
    }
    const bool is_heard = begins(at);
    const bool is_sound = builder_.on_add(at, id, side, price, quantity);
    if (!is_heard || !is_sound) return is_sound;
    tell_revealed(at, Place{side, price});
    tell_message(at, OrderMessage::Kind::added, quantity, id, {side, price});
    tell_level(at, {side, price});
    return true;
}

bool PublicRecording::on_execute(const At& at, OrderId id, Quantity quantity) {
    const std::optional<Place> place = place_of(at.instrument, id);
    return on_execute_at(at, id, quantity, place ? place->price : Price{}, true);
}

bool PublicRecording::on_execute_at(const At& at, OrderId id, Quantity quantity, Price price,
                                    bool printable) {
    const bool is_heard = begins(at);
    const std::optional<Place> place = place_of(at.instrument, id);
    const bool is_sound = builder_.on_execute(at, id, quantity);
    if (!is_heard || !place) return is_sound;
    tell_revealed(at, *place);
    tell_message(at, OrderMessage::Kind::executed, quantity, id, *place);
    tell_level(at, *place);
    if (printable && !at.is_broken && quantity.value > 0)
        tell_trade(at, opposite(place->side), price, quantity);
    return is_sound;
}

bool PublicRecording::on_reduce(const At& at, OrderId id, Quantity quantity) {
    const std::optional<Place> place = place_of(at.instrument, id);
    if (at.by_view) {
        if (place) revealed_.push_back(*place);
        return builder_.on_reduce(at, id, quantity);
    }
    const bool is_heard = begins(at);
    const bool is_sound = builder_.on_reduce(at, id, quantity);
    if (!is_heard || !place) return is_sound;
    tell_revealed(at, *place);
    tell_message(at, OrderMessage::Kind::reduced, quantity, id, *place);
    tell_level(at, *place);
    return is_sound;
}

bool PublicRecording::on_remove(const At& at, OrderId id) {
    const bool is_heard = begins(at);
    const std::optional<Place> place = place_of(at.instrument, id);
    const bool is_sound = builder_.on_remove(at, id);
    if (!is_heard || !place) return is_sound;
    tell_revealed(at, *place);
    if (!at.by_view) tell_message(at, OrderMessage::Kind::removed, Quantity{0}, id, *place);
    tell_level(at, *place);
    return is_sound;
}

bool PublicRecording::on_replace(const At& at, OrderId id, OrderId fresh, Price price,
                                 Quantity quantity) {
    const bool is_heard = begins(at);
    const std::optional<Place> place = place_of(at.instrument, id);
    const bool is_sound = builder_.on_replace(at, id, fresh, price, quantity);
    if (!is_heard || !place) return is_sound;
    tell_revealed(at, *place);
    tell_message(at, OrderMessage::Kind::replaced, quantity, id, *place);
    tell_level(at, *place);
    if (is_sound && price != place->price) tell_level(at, {place->side, price});
    return is_sound;
}

bool PublicRecording::on_trade(const At& at, order_flow::TradeKind kind, Price /*price*/,
                               Quantity quantity, std::optional<Side> /*aggressor*/) {
    // Feeds no longer tell who was the aggressor of a trade with a hidden order.
    if (!begins(at)) return true;
    tell_revealed(at, std::nullopt);
    if (kind != order_flow::TradeKind::hidden) return true;
    tell_message(at, OrderMessage::Kind::executed_hidden, quantity, {}, {});
    if (!at.is_broken) measures_->on_hidden_trade(quantity);
    return true;
}

bool PublicRecording::on_phase(const At& at, order_flow::StateChange phase) {
    if (at.instrument == InstrumentId{}) return true;  // hours are for the caller to choose
    is_halted_ =
        phase == order_flow::StateChange::halted || phase == order_flow::StateChange::quoting;
    if (!begins(at)) return true;
    tell_revealed(at, std::nullopt);
    views::PublicChange change = change_of(at);
    change.kind = views::PublicChange::Kind::state;
    static_cast<void>(measures_->on_change(change));
    return true;
}

}  // namespace damrak::measures
