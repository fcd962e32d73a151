#include <damrak/feed/itch/publisher.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include <damrak/base/time_units.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::feed {

namespace itch = wire::itch;

namespace {

constexpr unsigned k_decimals = 4;
constexpr std::int64_t k_highest_price_e4 = 2'000'000'000;

std::uint32_t scale_of(const InstrumentDefinition& definition) {
    std::uint32_t scale = 1;
    for (unsigned i = definition.price_decimals; i < k_decimals; ++i) scale *= 10;
    return scale;
}

std::uint32_t shares(Quantity quantity) { return static_cast<std::uint32_t>(quantity.value); }

}  // namespace

bool is_published(const InstrumentDefinition& definition) {
    return !definition.unpublished && definition.price_decimals <= k_decimals &&
           definition.maximum_price.value <= k_highest_price_e4 / scale_of(definition) &&
           definition.maximum_quantity.value <= std::numeric_limits<std::uint32_t>::max() &&
           definition.id.value <= std::numeric_limits<std::uint16_t>::max() &&
           itch::Stock::from(definition.symbol.view()).has_value();
}

ItchPublisher::ItchPublisher(const EngineConfig& config, ItchSettings settings)
    : settings_(std::move(settings)),
      maximum_instruments_(config.maximum_instruments),
      orders_(config.maximum_orders) {}

void ItchPublisher::on_event(const Event& event, const CommandStamp& stamp, MessageBlock& out) {
    if (event.kind == EventKind::instrument_added) list(event.instrument);
    if (event.kind == EventKind::day_ended) end_day(event.instrument);
    if (!event.instrument || listed(event.instrument).scale == 0) return;
    const Header head = header(event, stamp);
    last_ = head;
    calls_.on_event(event);
    switch (event.kind) {
        case EventKind::instrument_added:
            if (!in_session_) return;
            put_directory(event.instrument, head, out);
            return put_state(event.instrument, head, out);
        case EventKind::trading_state_changed:
        case EventKind::phase_changed:
            return change_state(event, head, out);
        case EventKind::price_band_set:
            return set_band(event.instrument, head, out);
        case EventKind::tick_band_added:
            if (calls_.runs(event.instrument)) begin_or_end_call(event.instrument);
            return;
        case EventKind::uncrossed:
            return begin_cross(event, head);
        case EventKind::trade_busted:
        case EventKind::trade_corrected:
            return bust(event, head, out);
        case EventKind::executed:
            return execute(event, head, out);
        case EventKind::replaced:
            return replace(event, head, out);
        case EventKind::refreshed:
        case EventKind::rested:
            return add(event, event.order_id, event.public_id().value, head, out);
        case EventKind::accepted:
        case EventKind::triggered:
            return add(event, event.order_id, event.order_id.value, head, out);
        case EventKind::cancelled:
        case EventKind::expired:
            if (const std::uint32_t index = orders_.find(event.order_id); index != 0) {
                orders_[index].open = event.remaining;
                reduce(index, event.displayed, head, out);
            }
            return;
        default:
            return;
    }
}

// Publishes an order that becomes visible, that moved, or the next slice of one.
void ItchPublisher::add(const Event& event, OrderId id, std::uint64_t reference,
                        const Header& header, MessageBlock& out) {
    if (const std::uint32_t before = orders_.find(id); before != 0)
        reduce(before, Quantity{0}, header, out);
    if (event.displayed.value == 0) return;
    const Shown order{.id = id,
                      .reference = reference,
                      .price = event.price,
                      .quantity = event.displayed,
                      .open = event.remaining,
                      .instrument = event.instrument,
                      .side = event.side,
                      .named = name_of(id, event.participant) != nullptr};
    insert(order);
    if (in_session_) put_order(order, event.participant, header, out);
}

// Of the two events of a trade, publishes that of the resting order. The incoming one was never
// displayed. In a cross both rested, and the message of the cross tells their trade. An incoming
// order that traded with the books of other instruments has no other event here.
void ItchPublisher::execute(const Event& event, const Header& header, MessageBlock& out) {
    const bool crossed = has_flag(event, EventFlags::k_cross);
    Listed& traded = listed_[event.instrument.value - 1];
    traded.last_trade = event.price;
    // A trade across books is one of the combination.
    traded.traded_today |= instrument_of(OrderId{event.reference}) == event.instrument;
    if (!adds_to_volume(event) && !crossed) return;
    if (crossed && cross_ && !has_flag(event, EventFlags::k_aggressor))
        cross_->shares += static_cast<std::uint64_t>(event.quantity.value);
    const std::uint32_t index = orders_.find(event.order_id);
    const Listed& of = listed(event.instrument);
    if (index == 0) {
        if (!in_session_ || crossed) return;
        // Publishes the trade alone, without the order's reference or side.
        return out.append(
            itch::Trade{.stock_locate = header.locate,
                        .tracking_number = header.tracking,
                        .timestamp_ns = header.time_ns,
                        .order_ref = 0,
                        .side = Side::buy,
                        .shares = shares(event.quantity),
                        .stock = of.stock,
                        .price_e4 = static_cast<std::uint32_t>(event.price.value) * of.scale,
                        .match_number = event.trade_id().value});
    }
    Shown& order = orders_[index];
    // The reserve of an iceberg trades in a cross, too.
    const Quantity shown = std::min(event.quantity, order.quantity);
    if (in_session_ && event.price == order.price && !crossed) {
        out.append(itch::OrderExecuted{.stock_locate = header.locate,
                                       .tracking_number = header.tracking,
                                       .timestamp_ns = header.time_ns,
                                       .order_ref = order.reference,
                                       .executed_shares = shares(shown),
                                       .match_number = event.trade_id().value});
    } else if (in_session_) {
        out.append(
            itch::OrderExecutedWithPrice{.stock_locate = header.locate,
                                         .tracking_number = header.tracking,
                                         .timestamp_ns = header.time_ns,
                                         .order_ref = order.reference,
                                         .executed_shares = shares(shown),
                                         .match_number = event.trade_id().value,
                                         .printable = !crossed,
                                         .execution_price_e4 = price_e4(order, event.price)});
    }
    order.quantity -= shown;
    order.open = event.remaining;
    if (order.quantity.value == 0) forget(index);
}

// Publishes a smaller displayed quantity without a trade; zero removes the order.
void ItchPublisher::reduce(std::uint32_t index, Quantity displayed, const Header& header,
                           MessageBlock& out) {
    Shown& order = orders_[index];
    const Quantity less = order.quantity - displayed;
    if (less.value == 0) return;
    if (in_session_ && displayed.value == 0) {
        out.append(itch::OrderDelete{.stock_locate = header.locate,
                                     .tracking_number = header.tracking,
                                     .timestamp_ns = header.time_ns,
                                     .order_ref = order.reference});
    } else if (in_session_) {
        out.append(itch::OrderCancel{.stock_locate = header.locate,
                                     .tracking_number = header.tracking,
                                     .timestamp_ns = header.time_ns,
                                     .order_ref = order.reference,
                                     .cancelled_shares = shares(less)});
    }
    order.quantity = displayed;
    if (displayed.value == 0) forget(index);
}

void ItchPublisher::replace(const Event& event, const Header& header, MessageBlock& out) {
    const std::uint32_t index = orders_.find(event.order_id);
    const bool same_id = event.new_order_id() == event.order_id;
    if (index == 0)
        return add(event, event.new_order_id(), event.new_order_id().value, header, out);
    Shown& order = orders_[index];
    // The order keeps its place under the conditions of the rule book, section 11.
    if (same_id && order.price == event.price && event.remaining <= order.open &&
        !loses_priority_ && !has_flag(event, EventFlags::k_repriced)) {
        order.open = event.remaining;
        return reduce(index, event.displayed, header, out);
    }
    // Taken out of the book. Later events report its trades and how it rests afterwards.
    if (event.displayed.value == 0) return reduce(index, Quantity{0}, header, out);
    // The id is unchanged for the owner, but the order has lost its priority.
    if (same_id) return add(event, event.order_id, event.order_id.value, header, out);
    // A message of a replace keeps the name.
    if (order.named != (name_of(event.new_order_id(), event.participant) != nullptr)) {
        reduce(index, Quantity{0}, header, out);
        return add(event, event.new_order_id(), event.new_order_id().value, header, out);
    }
    Shown anew = order;
    anew.id = event.new_order_id();
    anew.reference = event.new_order_id().value;
    anew.price = event.price;
    anew.quantity = event.displayed;
    anew.open = event.remaining;
    if (in_session_)
        out.append(itch::OrderReplace{.stock_locate = header.locate,
                                      .tracking_number = header.tracking,
                                      .timestamp_ns = header.time_ns,
                                      .order_ref = order.reference,
                                      .new_order_ref = anew.reference,
                                      .shares = shares(anew.quantity),
                                      .price_e4 = price_e4(anew, anew.price)});
    forget(index);
    insert(anew);
}

ItchPublisher::Header ItchPublisher::header(const Event& event, const CommandStamp& stamp) const {
    Header head{.locate = static_cast<std::uint16_t>(event.instrument.value),
                .tracking = 0,
                .time_ns = since_midnight(stamp.timestamp)};
    if (event.kind != EventKind::executed) {
        if (is_by_view_) head.tracking = itch::k_made_by_view;
    } else if (settings_.recording && is_recorded(event.participant) != is_recorded_) {
        head.tracking = itch::k_not_as_recorded;
    }
    return head;
}

std::int64_t ItchPublisher::since_midnight(Timestamp time) const {
    if (time < midnight_ || time >= next_midnight_) {
        const auto& zone = settings_.zone;
        const std::int64_t local = zone == nullptr ? time.value : zone->local_of(time.value);
        const std::int64_t date = local - ((local % k_day_ns) + k_day_ns) % k_day_ns;
        const auto utc_of = [&](std::int64_t at) {
            return zone == nullptr ? at : zone->utc_of(at);
        };
        midnight_ = {utc_of(date)};
        next_midnight_ = {utc_of(date + k_day_ns)};
    }
    return time.value - midnight_.value;
}

const ItchPublisher::Listed& ItchPublisher::listed(InstrumentId id) const {
    static const Listed k_none;
    return id.value - 1 < listed_.size() ? listed_[id.value - 1] : k_none;
}

void ItchPublisher::list(InstrumentId id) {
    const InstrumentDefinition& definition = engine_->instrument(id)->definition();
    if (listed_.size() < id.value) listed_.resize(id.value);
    if (!is_published(definition)) return;
    listed_[id.value - 1] = {.stock = *itch::Stock::from(definition.symbol.view()),
                             .scale = scale_of(definition)};
}

std::uint32_t ItchPublisher::price_e4(const Shown& order, Price price) const {
    return static_cast<std::uint32_t>(price.value) * listed(order.instrument).scale;
}

void ItchPublisher::put_order(const Shown& order, ParticipantId owner, const Header& header,
                              MessageBlock& out) const {
    const itch::AddOrder add{.stock_locate = header.locate,
                             .tracking_number = header.tracking,
                             .timestamp_ns = header.time_ns,
                             .order_ref = order.reference,
                             .side = order.side,
                             .shares = shares(order.quantity),
                             .stock = listed(order.instrument).stock,
                             .price_e4 = price_e4(order, order.price)};
    const itch::Mpid* const name = name_of(order.id, owner);
    if (name == nullptr) return out.append(add);
    out.append(itch::AddOrderAttributed{.stock_locate = add.stock_locate,
                                        .tracking_number = add.tracking_number,
                                        .timestamp_ns = add.timestamp_ns,
                                        .order_ref = add.order_ref,
                                        .side = add.side,
                                        .shares = add.shares,
                                        .stock = add.stock,
                                        .price_e4 = add.price_e4,
                                        .attribution = *name});
}

const itch::Mpid* ItchPublisher::name_of(OrderId id, ParticipantId owner) const {
    const auto found = settings_.attributed.find(owner);
    if (found == settings_.attributed.end() || (is_anonymous_ && is_anonymous_(id))) return nullptr;
    return &found->second;
}

void ItchPublisher::insert(const Shown& order) {
    const std::uint32_t index = orders_.take();
    std::uint32_t& first = listed_[order.instrument.value - 1].first;
    orders_[index] = order;
    orders_[index].previous = 0;
    orders_[index].next = first;
    if (first != 0) orders_[first].previous = index;
    first = index;
    orders_.file(index);
}

void ItchPublisher::forget(std::uint32_t index) {
    const Shown& order = orders_[index];
    std::uint32_t& first = listed_[order.instrument.value - 1].first;
    (order.previous == 0 ? first : orders_[order.previous].next) = order.next;
    if (order.next != 0) orders_[order.next].previous = order.previous;
    orders_.unfile(index);
    orders_.give_back(index);
}

}  // namespace damrak::feed
