// How the ITCH publisher begins and ends: from the state of an engine, the sessions of a day with
// their hours, and snapshots.
#include <limits>
#include <utility>

#include <damrak/feed/itch/publisher.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::feed {

// The public id of an iceberg order is that of its current slice.
template <class F>
void ItchPublisher::for_each_displayed(InstrumentId id, const F& f) const {
    const InstrumentState* const in = engine_->instrument(id);
    const auto& store = engine_->store();
    for (const Side side : {Side::buy, Side::sell})
        in->book.for_each_order(store, side, [&](OrderIndex index) {
            const Order& order = store.order(index);
            if (order.terms().undisplayed()) return true;
            const std::uint64_t reference = order.extension == 0
                                                ? order.id.value
                                                : store.extension(order.extension).public_id.value;
            const ParticipantId owner = engine_->accounts().account(order.account).participant;
            f(Shown{.id = order.id,
                    .reference = reference,
                    .price = in->price_of(order.tick),
                    .quantity = order.quantity,
                    .open = order.quantity + store.extension(order.extension).reserve,
                    .instrument = id,
                    .side = side,
                    .named = name_of(order.id, owner) != nullptr},
              owner);
            return true;
        });
}

void ItchPublisher::load(const Engine& engine, bool in_session, char last_event) {
    engine_ = &engine;
    in_session_ = in_session;
    last_event_ = in_session ? last_event : 'C';
    for (std::uint32_t i = 1; i <= maximum_instruments_; ++i) {
        const InstrumentId id{i};
        if (engine.instrument(id) == nullptr) continue;
        list(id);
        if (listed(id).scale != 0) load(id);
    }
}

void ItchPublisher::load(InstrumentId id) {
    const InstrumentState& in = *engine_->instrument(id);
    Listed& of = listed_[id.value - 1];
    of.state = in.state;
    of.phase = {in.phase, in.auction, in.call, in.sealed};
    of.phase.cause = in.cause;
    of.band = {in.rules.price_band, in.collar, in.daily != DailyBand::none};
    of.traded_today = !in.untraded_today();
    if (in.last_trade != 0) of.last_trade = in.price_of(in.last_trade);
    for_each_displayed(id, [this](const Shown& order, ParticipantId) { insert(order); });
    calls_.load(*engine_, id);
    begin_or_end_call(id);
    if (!calls_.runs(id)) return;
    of.indicative = calls_.value(id);
    of.far_price = calls_.far_price(id);
}

void ItchPublisher::begin_session(Timestamp time, MessageBlock& out) {
    in_session_ = true;
    put_system_event('O', time, out);
    put_listings(time, out);
    put_system_event(last_event_ = 'S', time, out);
    put_orders(time, out);
    next_look_ = time;
    tell_hours(time, out);
}

void ItchPublisher::on_time(const CommandStamp& stamp, MessageBlock& out) {
    last_ = {.locate = 0, .tracking = 0, .time_ns = since_midnight(stamp.timestamp)};
    tell_hours(stamp.timestamp, out);
}

void ItchPublisher::tell_hours(Timestamp time, MessageBlock& out) {
    if (!in_session_ || time < next_look_) return;
    const auto& hours = settings_.hours;
    next_look_ = {hours ? hours->next_session(time).value
                        : std::numeric_limits<std::int64_t>::max()};
    const bool is_open = !hours || hours->is_open(time);
    if (is_open == (last_event_ == 'Q')) return;
    put_system_event(last_event_ = is_open ? 'Q' : 'M', time, out);
}

void ItchPublisher::end_session(Timestamp time, MessageBlock& out) {
    if (!std::exchange(in_session_, false)) return;
    if (last_event_ == 'Q') put_system_event('M', time, out);
    for (const char code : {'E', 'C'}) put_system_event(code, time, out);
    last_event_ = 'C';
}

void ItchPublisher::snapshot(Timestamp time, MessageBlock& out) const {
    put_system_event(last_event_, time, out);
    put_listings(time, out);
    put_orders(time, out);
}

template <class F>
void ItchPublisher::for_each_listed(Timestamp time, const F& put) const {
    Header header{.locate = 0, .tracking = 0, .time_ns = since_midnight(time)};
    for (std::uint32_t i = 1; i <= listed_.size(); ++i) {
        if (listed_[i - 1].scale == 0) continue;
        header.locate = static_cast<std::uint16_t>(i);
        put(InstrumentId{i}, header);
    }
}

void ItchPublisher::put_listings(Timestamp time, MessageBlock& out) const {
    for_each_listed(time,
                    [&](InstrumentId id, const Header& header) { put_directory(id, header, out); });
    for_each_listed(time,
                    [&](InstrumentId id, const Header& header) { put_state(id, header, out); });
    for_each_listed(time, [&](InstrumentId id, const Header& header) {
        if (listed(id).is_halted_here()) put_halt_here(id, header, out);
        if (listed(id).band.collar != 0) put_collar(id, header, out);
    });
    const Header header{.locate = 0, .tracking = 0, .time_ns = since_midnight(time)};
    if (levels_ != BreakerLevels{}) put_levels(header, out);
    for (const HaltCause cause :
         {HaltCause::market_wide_1, HaltCause::market_wide_2, HaltCause::market_wide_3})
        if (has_any(cause)) put_breach(cause, header, out);
}

void ItchPublisher::put_orders(Timestamp time, MessageBlock& out) const {
    for_each_listed(time, [&](InstrumentId id, const Header& header) {
        for_each_displayed(id, [&](const Shown& order, ParticipantId owner) {
            put_order(order, owner, header, out);
        });
    });
    if (settings_.indicatives_on_clock) return;
    for_each_listed(time, [&](InstrumentId id, const Header& header) {
        if (calls_.runs(id)) put_indicative(id, header, out);
    });
}

}  // namespace damrak::feed
