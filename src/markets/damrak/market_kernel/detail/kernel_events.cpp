// What the kernel makes of the events of the exchange: reports, accounts, public changes.
#include <cstdint>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>
#include <damrak/market_kernel/detail/kernel.hpp>

namespace damrak::market_kernel::detail {

void Kernel::on_event(const Event& event, const Origin& /*origin*/, const CommandStamp& stamp) {
    ++counts.events;
    fold(event, stamp);
    take(event, stamp);
    for (MarketWatcher* const watcher : watchers_) watcher->on_event(event, stamp);
    if (!supervisor_) return;
    supervisor_->on_event(event, stamp.timestamp, engine());
    wake_supervisor();
}

void Kernel::take(const Event& event, const CommandStamp& stamp) {
    switch (event.kind) {
        case EventKind::accepted:
            return take_new_order(event, stamp);
        case EventKind::rejected:
            ++counts.rejects;
            if (current_slot_ == 0) return;
            return report(current_slot_, event,
                          event.command == CommandKind::new_order ? Report::Kind::rejected
                                                                  : Report::Kind::change_rejected,
                          stamp);
        case EventKind::trading_state_changed:
            return public_side.note_trading_state(event);
        case EventKind::executed:
        case EventKind::cancelled:
        case EventKind::replaced:
        case EventKind::expired:
        case EventKind::triggered:
        case EventKind::refreshed:
        case EventKind::rested:
            break;
        default:
            return;
    }
    if (!event.order_id) [[unlikely]] {  // the side of a recorded trade that has no order
        static_cast<void>(take_fill(event));
        return;
    }
    const std::uint32_t index = slots_.find(event.order_id);
    DAMRAK_ASSERT(index != 0);
    public_side.note(event, slots_[index]);
    if (event.kind == EventKind::executed) {
        report(index, event, Report::Kind::filled, stamp, take_fill(event));
    } else if (event.kind == EventKind::replaced) {
        slots_.change_id(index, event.new_order_id());
        report(index, event, Report::Kind::replaced, stamp);
    } else if (event.kind == EventKind::triggered) {
        report(index, event, Report::Kind::triggered, stamp);
    } else if (event.kind == EventKind::cancelled || event.kind == EventKind::expired) {
        report(index, event,
               event.remaining.value == 0 ? Report::Kind::cancelled : Report::Kind::reduced, stamp);
    }
    if (event.remaining.value == 0 && event.kind != EventKind::replaced) leave_exchange(index);
}

void Kernel::take_new_order(const Event& event, const CommandStamp& stamp) {
    DAMRAK_ASSERT(current_slot_ != 0);
    OrderSlot& slot = slots_[current_slot_];
    slot.id = event.order_id;
    slot.is_filed = true;
    slots_.file(current_slot_);
    public_side.note(event, slot);
    report(current_slot_, event, Report::Kind::accepted, stamp);
}

std::int64_t Kernel::take_fill(const Event& event) {
    const bool is_taker = has_flag(event, EventFlags::k_aggressor);
    const std::int64_t fee =
        fee_of(setup.exchange.fees.of(event.participant).of(event), event.price, event.quantity,
               setup.instruments[event.instrument.value - 1].price_decimals);
    const std::int64_t sign = event.side == Side::buy ? 1 : -1;
    Account& account = accounts[event.participant.value - 1];
    account.cash -= sign * event.price.value * event.quantity.value + fee;
    account.fees += fee;
    ++account.trades;
    account.volume += static_cast<std::uint64_t>(event.quantity.value);
    position(event.participant, event.instrument) += sign * event.quantity.value;
    if (is_taker) {
        ++counts.trades;
        public_side.note_trade(event, event.side);
    } else if (has_flag(event, EventFlags::k_implied)) {
        public_side.note_trade(event, opposite(event.side));  // the taker's order is elsewhere
    }
    return fee;
}

void Kernel::leave_exchange(std::uint32_t index) {
    slots_.unfile(index);
    slots_[index].is_filed = false;
    free_if_done(index);  // at once where no report is in flight
}

void Kernel::report(std::uint32_t index, const Event& event, Report::Kind kind,
                    const CommandStamp& stamp, std::int64_t fee) {
    OrderSlot& slot = slots_[index];
    SeatAccess& seat = *seats_[slot.seat];
    if (seat.seat().is_background) return;
    const bool ends = kind == Report::Kind::rejected ||
                      (event.remaining.value == 0 &&
                       (kind == Report::Kind::filled || kind == Report::Kind::cancelled));
    ++slot.in_flight;
    push(seat.arrival_of_report(),
         reports_.take(
             {.kind = kind,
              .reason = event.reason,
              .is_maker = kind == Report::Kind::filled && !has_flag(event, EventFlags::k_aggressor),
              .ends_order = ends,
              .seat = slot.seat,
              .slot = index,
              .fee = fee,
              .price = event.price,
              .quantity = event.quantity,
              .remaining = event.remaining,
              .exchange_time = stamp.timestamp}),
         Due::Kind::report);
}

void Kernel::on_command_end(const Origin& /*origin*/) {
    if (!public_side.has_news()) return;
    public_side.publish(
        engine(), {now_ns_},
        [&](InstrumentId id, const views::PublicChange& change) {
            if (public_side.log(id).full()) make_room(id);
            for (MarketWatcher* const watcher : watchers_) watcher->on_change(id, change);
        },
        [&](InstrumentId id, MarketNews news) { tell_subscribers(id, news); });
}

// Forgets what everybody has seen.
void Kernel::make_room(InstrumentId instrument) {
    PublicLog& log = public_side.log(instrument);
    const Timestamp seen{now_ns_ - most_data_ns_};
    std::uint64_t keep = log.visible_at(seen, log.begin());
    for (const std::uint32_t seat : depth_followers_[instrument.value - 1])
        keep = std::min(keep, seats_[seat]->catch_up(instrument, seen));
    log.forget_before(keep);
}

void Kernel::tell_subscribers(InstrumentId instrument, MarketNews news) {
    for (const std::uint32_t index : subscribers_[instrument.value - 1]) {
        Subscription& subscription = subscriptions_[index];
        const auto wanted = static_cast<std::uint8_t>(subscription.news);
        if ((wanted & static_cast<std::uint8_t>(news)) == 0) continue;
        SeatAccess& seat = *seats_[subscription.seat];
        if (seat.is_muted || seat.has_outage) continue;
        const std::int64_t arrival_ns = seat.arrival_of_data();
        if (arrival_ns == subscription.last_ns && arrival_ns > now_ns_) {  // not delivered yet
            news_[subscription.last_news].change = {now_ns_};
            continue;
        }
        subscription.last_ns = arrival_ns;
        subscription.last_news = news_.take({index, {now_ns_}});
        push(arrival_ns, subscription.last_news, Due::Kind::news);
    }
}

// Two multiplications an event, in which everything that participants could tell it by has a part.
void Kernel::fold(const Event& event, const CommandStamp& stamp) {
    const auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    const std::uint64_t what = static_cast<std::uint64_t>(event.kind) << 56U ^
                               std::uint64_t{event.participant.value} << 24U ^
                               event.instrument.value;
    const std::uint64_t order = event.order_id.value * 0x9e3779b97f4a7c15U ^ event.reference;
    const std::uint64_t terms = bits(event.price.value) * 0xbf58476d1ce4e5b9U ^
                                bits(event.quantity.value) << 32U ^ bits(event.remaining.value);
    hash_ = mix_bits(hash_ + (what ^ order)) ^ (terms + bits(stamp.timestamp.value));
}

std::uint64_t Kernel::hash() const { return mix_bits(hash_ ^ engine().state_hash()); }

}  // namespace damrak::market_kernel::detail
