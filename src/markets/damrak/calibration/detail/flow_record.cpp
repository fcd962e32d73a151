#include <damrak/calibration/detail/flow_record.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace damrak::calibration {

using order_flow::At;

namespace {

constexpr double k_ns = 1e-9;
constexpr std::array<Side, 2> k_sides{Side::buy, Side::sell};

enum Kind : std::uint8_t { k_market, k_limit, k_cancel };

std::uint8_t type_of(Kind kind, Side side) {
    return static_cast<std::uint8_t>(2 * kind + static_cast<int>(side == Side::sell));
}

std::uint8_t possible_with(bool has_bid, bool has_ask) {
    unsigned types = FlowEvent::k_all;
    for (const auto& [has_side, side] : {std::pair{has_bid, Side::buy}, {has_ask, Side::sell}})
        if (!has_side)
            types &= ~(1U << type_of(k_cancel, side) | 1U << type_of(k_market, opposite(side)));
    return static_cast<std::uint8_t>(types);
}

}  // namespace

FlowRecorder::FlowRecorder(const RecordSettings& settings) : settings_(settings) {
    record_.distances.resize(static_cast<std::size_t>(settings.ticks));
    record_.sizes.resize(static_cast<std::size_t>(settings.most_units) + 1);
}

std::optional<FlowRecorder::Place> FlowRecorder::place_of(InstrumentId instrument,
                                                          OrderId id) const {
    const Order* const order = builder_.find(instrument, id);
    if (order == nullptr) return std::nullopt;
    return Place{order->terms().side(), builder_.price_of(*order).value, order->quantity.value};
}

bool FlowRecorder::begins(const At& at) {
    if (at.time_ns < settings_.begin_ns) return false;
    if (!has_begun_) {
        has_begun_ = true;
        first_ns_ = now_ns_ = at.time_ns;
        look(at.instrument);
    } else if (at.time_ns > now_ns_) {
        look(at.instrument);
        stand(at.instrument, static_cast<double>(at.time_ns - now_ns_) * k_ns);
        now_ns_ = at.time_ns;
    }
    record_.seconds = static_cast<double>(now_ns_ - first_ns_) * k_ns;
    return true;
}

// The book after all messages of a moment. The reference price is the mid if that is between two
// ticks (Huang, Lehalle and Rosenbaum 2015, section 2.2.2). If it is on a tick, nobody can tell on
// which side of it the reference is, as it may just have moved: nothing counts until that shows.
void FlowRecorder::look(InstrumentId instrument) {
    const order_flow::BuiltBook& built = builder_.book(instrument);
    const std::array<std::int64_t, 2> best_before = best_;
    const std::int64_t reference_before = twice_reference_;
    for (const Side side : k_sides) {
        const DepthLevel level = built.book.best(builder_.store(), side);
        best_[static_cast<std::size_t>(side)] =
            level.quantity.value > 0 ? built.scale.price_of(level.tick).value : 0;
    }
    const std::int64_t bid = best(Side::buy);
    const std::int64_t ask = best(Side::sell);
    if (bid != 0 && ask != 0) {
        if (record_.first_mid == 0) record_.first_mid = static_cast<double>(bid + ask) / 2;
        const std::int64_t twice_mid = bid / settings_.tick + ask / settings_.tick;
        twice_reference_ = twice_mid % 2 == 0 ? 0 : twice_mid;
    }
    end_moment(best_before, reference_before);
}

// A moment that changes a best price and has more than one message counts as one that redraws
// the book: its first message is an order, a cancel or a trade, and the others are no order flow.
void FlowRecorder::end_moment(const std::array<std::int64_t, 2>& best_before,
                              std::int64_t reference_before) {
    const bool is_redrawn = best_ != best_before && messages_ > 1;
    if (!is_redrawn)
        for (std::uint64_t* const count : later_) ++*count;
    const std::int64_t bid_before = best_before[static_cast<std::size_t>(Side::buy)];
    const std::int64_t ask_before = best_before[static_cast<std::size_t>(Side::sell)];
    const std::int64_t bid = best(Side::buy);
    const std::int64_t ask = best(Side::sell);
    const bool is_emptied =
        first_takes_ && (bid < bid_before || ask > ask_before || (ask == 0 && ask_before != 0));
    if (emptied_at_ != 0 && (is_emptied || is_redrawn)) {
        ++record_.unsettled;
        emptied_at_ = 0;
    } else if (is_emptied && !is_redrawn) {
        emptied_at_ = reference_before;
    }
    if (is_emptied && is_redrawn && reference_before != 0) ++record_.redrawn;
    if (emptied_at_ != 0 && bid != 0 && ask - bid == settings_.tick) {
        ++record_.settled;
        if (twice_reference_ != emptied_at_) ++record_.moved;
        emptied_at_ = 0;
    }
    for (; first_event_ < record_.events.size(); ++first_event_)
        record_.events[first_event_].possible = possible_with(bid != 0, ask != 0);
    messages_ = 0;
    first_takes_ = false;
    later_.clear();
}

void FlowRecorder::note_message(bool takes_from_best) {
    if (messages_++ == 0) first_takes_ = takes_from_best;
}

void FlowRecorder::count_in_queue(InstrumentId instrument, Side side, std::int64_t price,
                                  std::uint64_t AtSize::* count) {
    AtSize* const queue = queue_at(instrument, side, price);
    if (queue == nullptr) return;
    if (messages_ == 1)
        ++(queue->*count);
    else
        later_.push_back(&(queue->*count));
}

std::int64_t FlowRecorder::distance(Side side, std::int64_t price) const {
    const std::int64_t other = best(opposite(side));
    if (other == 0) return 0;
    return (side == Side::buy ? other - price : price - other) / settings_.tick;
}

void FlowRecorder::stand(InstrumentId instrument, double seconds) {
    const order_flow::BuiltBook& built = builder_.book(instrument);
    for (const Side side : k_sides) {
        if (best(opposite(side)) == 0) continue;
        record_.side_seconds += seconds;
        built.book.for_each_level(builder_.store(), side, [&](const DepthLevel& level) {
            const std::int64_t ticks = distance(side, built.scale.price_of(level.tick).value);
            if (ticks > settings_.ticks) return false;
            if (ticks < 1) return true;
            AtDistance& there = record_.distances[static_cast<std::size_t>(ticks - 1)];
            there.order_seconds += seconds * level.orders;
            there.share_seconds += seconds * static_cast<double>(level.quantity.value);
            return true;
        });
    }
    if (twice_reference_ == 0) return;
    for (const Side side : k_sides)
        for (std::int64_t queue = 0; queue < settings_.queues; ++queue) {
            const std::int64_t ticks = side == Side::buy ? (twice_reference_ - 1) / 2 - queue
                                                         : (twice_reference_ + 1) / 2 + queue;
            const std::int64_t price = ticks * settings_.tick;
            AtSize& there = record_.sizes[units_at(instrument, side, price)];
            there.seconds += seconds;
            if (best(side) == price) there.best_seconds += seconds;
        }
}

std::size_t FlowRecorder::units_at(InstrumentId instrument, Side side, std::int64_t price) const {
    const std::int64_t shares = builder_.displayed_at(instrument, side, {price}).value;
    const std::int64_t units = (shares + settings_.unit_shares - 1) / settings_.unit_shares;
    return static_cast<std::size_t>(std::min(units, settings_.most_units));
}

AtSize* FlowRecorder::queue_at(InstrumentId instrument, Side side, std::int64_t price) {
    if (twice_reference_ == 0 || price % settings_.tick != 0) return nullptr;
    const std::int64_t ticks = price / settings_.tick;
    const std::int64_t queue =
        side == Side::buy ? (twice_reference_ - 1) / 2 - ticks : ticks - (twice_reference_ + 1) / 2;
    if (queue < 0 || queue >= settings_.queues) return nullptr;
    return &record_.sizes[units_at(instrument, side, price)];
}

void FlowRecorder::add_event(std::uint8_t type, std::int64_t shares) {
    record_.events.push_back({static_cast<double>(now_ns_ - first_ns_) * k_ns, type});
    record_.event_shares += static_cast<double>(shares);
}

void FlowRecorder::added(InstrumentId instrument, const Place& place) {
    if (const std::int64_t ticks = distance(place.side, place.price);
        ticks >= 1 && ticks <= settings_.ticks)
        ++record_.distances[static_cast<std::size_t>(ticks - 1)].limits;
    ++record_.limits;
    record_.limit_shares += static_cast<double>(place.quantity);
    count_in_queue(instrument, place.side, place.price, &AtSize::limits);
    add_event(type_of(k_limit, place.side), place.quantity);
}

void FlowRecorder::cancelled(InstrumentId instrument, const Place& place, std::int64_t shares) {
    if (const std::int64_t ticks = distance(place.side, place.price);
        ticks >= 1 && ticks <= settings_.ticks) {
        AtDistance& there = record_.distances[static_cast<std::size_t>(ticks - 1)];
        ++there.cancels;
        there.cancelled_shares += static_cast<double>(shares);
    }
    count_in_queue(instrument, place.side, place.price, &AtSize::cancels);
    add_event(type_of(k_cancel, place.side), shares);
}

bool FlowRecorder::on_add(const At& at, OrderId id, Side side, Price price, Quantity quantity) {
    if (begins(at) && !at.by_view && find(at.instrument, id) == nullptr) {
        note_message(false);
        added(at.instrument, {side, price.value, quantity.value});
    }
    return builder_.on_add(at, id, side, price, quantity);
}

bool FlowRecorder::on_execute(const At& at, OrderId id, Quantity quantity) {
    return on_execute_at(at, id, quantity, {}, true);
}

bool FlowRecorder::on_execute_at(const At& at, OrderId id, Quantity quantity, Price /*price*/,
                                 bool /*printable*/) {
    const std::optional<Place> place = place_of(at.instrument, id);
    if (begins(at) && place) {
        const Side aggressor = opposite(place->side);
        record_.market_shares += static_cast<double>(quantity.value);
        if (now_ns_ != last_market_ns_ || aggressor != last_market_side_) {
            ++record_.markets;
            add_event(type_of(k_market, aggressor), quantity.value);
            note_message(place->price == best(place->side));
            if (place->price == best(place->side))
                count_in_queue(at.instrument, place->side, place->price, &AtSize::markets);
        }
        last_market_ns_ = now_ns_;
        last_market_side_ = aggressor;
    }
    return builder_.on_execute(at, id, quantity);
}

bool FlowRecorder::on_reduce(const At& at, OrderId id, Quantity quantity) {
    const std::optional<Place> place = place_of(at.instrument, id);
    if (begins(at) && place && !at.by_view) {
        note_message(place->price == best(place->side));
        cancelled(at.instrument, *place, quantity.value);
    }
    return builder_.on_reduce(at, id, quantity);
}

bool FlowRecorder::on_remove(const At& at, OrderId id) {
    const std::optional<Place> place = place_of(at.instrument, id);
    if (begins(at) && place && !at.by_view) {
        note_message(place->price == best(place->side));
        cancelled(at.instrument, *place, place->quantity);
    }
    return builder_.on_remove(at, id);
}

// As a cancel and a new order.
bool FlowRecorder::on_replace(const At& at, OrderId id, OrderId fresh, Price price,
                              Quantity quantity) {
    const std::optional<Place> place = place_of(at.instrument, id);
    if (begins(at) && place) {
        note_message(place->price == best(place->side));
        cancelled(at.instrument, *place, place->quantity);
        added(at.instrument, {place->side, price.value, quantity.value});
    }
    return builder_.on_replace(at, id, fresh, price, quantity);
}

}  // namespace damrak::calibration
