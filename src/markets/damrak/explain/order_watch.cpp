#include <damrak/explain/order_watch.hpp>

#include <algorithm>

namespace damrak::explain {
namespace {

/// An immediate order that comes later than this after its level was gone has missed no race.
constexpr std::int64_t k_race_ns = 1'000'000'000;

bool is_ahead(const Standing& other, const Standing& own) {
    return other.rests && other.instrument == own.instrument && other.side == own.side &&
           other.place < own.place;
}

/// What it counts for in the crowd ahead.
Crowd crowd_of(const Standing& other, const Standing& own) {
    if (other.displayed.value == 0 || !is_ahead(other, own)) return {};
    return {1, other.displayed.value};
}

bool is_within(Price best, const Command& order) {
    if (!has_limit(order.order_type)) return true;
    return order.side == Side::buy ? best <= order.price : best >= order.price;
}

/// At the same price and time as before, of the same queue.
bool takes_more(const Trade& last, const Event& taker, const Standing& maker, Timestamp now) {
    return !last.is_maker && last.at == now && last.price == taker.price &&
           last.was_hidden == maker.place.is_hidden;
}

}  // namespace

OrderWatch::OrderWatch(std::vector<Member> members, Question question)
    : members_(std::move(members)), question_(std::move(question)) {}

OrderWatch::BestPrices& OrderWatch::across(InstrumentId instrument, Side side) {
    return bests_[std::uint64_t{instrument.value} * 2 + (side == Side::buy ? 1 : 0)];
}

std::optional<Facing> OrderWatch::facing(InstrumentId instrument, Side side) {
    const BestPrices& prices = across(instrument, side);
    if (prices.count == 0 || !prices.back(0).is_there) return std::nullopt;
    return Facing{prices.back(0).price, prices.quantity};
}

void OrderWatch::on_sent(ParticipantId participant, const Command& command, Timestamp time) {
    latest_ = time;
    if (command.kind != CommandKind::new_order || participant.value > members_.size()) return;
    if (members_[participant.value - 1].group != question_.group) return;
    ++orders_;
    if (question_.number ? orders_ != *question_.number : orders_ > question_.limit) return;
    under_way_[{participant.value, command.client_order_id.value}] = fates_.size();
    Fate& fate = fates_.emplace_back();
    fate.number = orders_;
    fate.terms = command;
    fate.sent = time;
    fate.open = command.quantity;
    fate.facing_sent = facing(command.instrument, command.side);
}

void OrderWatch::on_event(const Event& event, const CommandStamp& stamp) {
    const Timestamp now = latest_ = stamp.timestamp;
    if (event.kind == EventKind::accepted) arrive(event, now);
    if (event.kind == EventKind::rejected) return refuse(event, now);
    const OrderMirror::Change change = mirror_.apply(event);
    if (event.kind == EventKind::executed) {
        if (has_flag(event, EventFlags::k_aggressor)) {
            note_trade(event, change.before, now);
        } else {
            maker_event_ = event;
            maker_ = change.before;
        }
    }
    if (!change.id) return;
    const auto own = by_id_.find(event.order_id.value);
    const Index index = own == by_id_.end() ? fates_.size() : own->second;
    note_ahead(index, event, change, now);
    if (own != by_id_.end()) note_own(index, event, change, now);
}

// Before the order is matched: the best prices are those that it meets.
void OrderWatch::arrive(const Event& event, Timestamp now) {
    const auto found = under_way_.find({event.participant.value, event.reference});
    if (found == under_way_.end()) return;
    Fate& fate = fates_[found->second];
    fate.arrived = now;
    fate.ending = Ending::open;
    fate.facing_arrived = facing(event.instrument, event.side);
    fate.missed = missed(fate, now);
    fate.id = event.order_id;
    by_id_[event.order_id.value] = found->second;
    under_way_.erase(found);
}

void OrderWatch::refuse(const Event& event, Timestamp now) {
    if (event.command == CommandKind::new_order) {
        const auto found = under_way_.find({event.participant.value, event.reference});
        if (found == under_way_.end()) return;
        Fate& fate = fates_[found->second];
        fate.arrived = fate.ended = now;
        fate.facing_arrived = facing(fate.terms.instrument, fate.terms.side);
        fate.ending = Ending::rejected;
        fate.reason = event.reason;
        under_way_.erase(found);
    } else if (const auto own = by_id_.find(event.order_id.value); own != by_id_.end()) {
        Fate& fate = fates_[own->second];
        if (fate.is_done() && !fate.late_request) fate.late_request = now;
    }
}

// An order that rests is late if the price went while it was in flight; an immediate one too if
// its owner saw the price late.
std::optional<Missed> OrderWatch::missed(const Fate& fate, Timestamp now) {
    const BestPrices& prices = across(fate.terms.instrument, fate.terms.side);
    const std::uint64_t kept = std::min<std::uint64_t>(prices.count, BestPrices::k_kept);
    const bool immediate = is_immediate(fate.terms.time_in_force);
    const Timestamp earliest = immediate ? Timestamp{now.value - k_race_ns} : fate.sent;
    for (std::uint64_t i = 0; i < kept; ++i) {
        const Best& best = prices.back(i);
        if (best.is_there && is_within(best.price, fate.terms)) {
            if (i == 0) return std::nullopt;
            return Missed{prices.back(i - 1).since, best.price};
        }
        if (best.since < earliest) return std::nullopt;
    }
    return std::nullopt;
}

void OrderWatch::note_own(Index index, const Event& event, const OrderMirror::Change& change,
                          Timestamp now) {
    Fate& fate = fates_[index];
    if (change.id != event.order_id) {
        by_id_.erase(event.order_id.value);
        by_id_[change.id.value] = index;
        fate.id = change.id;
    }
    if (!change.keeps_place) end_stay(index, now);
    if (change.after.rests) {
        if (change.keeps_place)
            resting_[index] = change.after;
        else
            begin_stay(index, change.after, now);
        return;
    }
    if (event.remaining.value > 0) return;
    fate.ended = now;
    fate.open = {};
    if (event.kind == EventKind::executed) {
        fate.ending = Ending::filled;
        return;
    }
    fate.open = event.quantity;
    fate.reason = event.reason;
    fate.ending = event.reason == Reason::requested ? Ending::cancelled : Ending::removed;
}

void OrderWatch::begin_stay(Index index, const Standing& standing, Timestamp now) {
    Fate& fate = fates_[index];
    if (fate.stays.size() == Fate::k_most_stays) {
        fate.stays.pop_back();
        ++fate.dropped;
    }
    Stay& stay = fate.stays.emplace_back();
    stay.since = stay.until = now;
    stay.price = standing.limit;
    stay.open = standing.open;
    stay.is_hidden = standing.place.is_hidden;
    mirror_.for_each([&](const Standing& other) {
        const Crowd crowd = crowd_of(other, standing);
        const bool same = other.place.price_rank == standing.place.price_rank;
        (same ? stay.at_price : stay.better).add(crowd.orders, crowd.quantity);
    });
    if (stay.ahead().empty()) stay.front = now;
    resting_[index] = standing;
}

void OrderWatch::end_stay(Index index, Timestamp now) {
    if (resting_.erase(index) > 0) fates_[index].stays.back().until = now;
}

// An order that is ahead of those that are followed; `self` is the one that it is itself, if any.
void OrderWatch::note_ahead(Index self, const Event& event, const OrderMirror::Change& change,
                            Timestamp now) {
    for (const auto& [index, own] : resting_) {
        if (index == self) continue;
        Stay& stay = fates_[index].stays.back();
        const Crowd before = crowd_of(change.before, own);
        const Crowd after = crowd_of(change.after, own);
        if (event.kind == EventKind::executed && change.before.displayed.value == 0 &&
            is_ahead(change.before, own))
            stay.hidden_traded += event.quantity.value;
        if (before == after) continue;
        const bool is_trade = event.kind == EventKind::executed;
        if (change.before.rests && change.after.rests && !change.keeps_place) {
            (is_trade ? stay.traded : stay.moved).add(before.orders, before.quantity);
            stay.joined.add(after.orders, after.quantity);
        } else if (after.quantity > before.quantity) {
            stay.joined.add(after.orders - before.orders, after.quantity - before.quantity);
        } else {
            const bool moves = event.kind == EventKind::replaced && !change.keeps_place;
            Crowd& gone = is_trade ? stay.traded : moves ? stay.moved : stay.cancelled;
            gone.add(before.orders - after.orders, before.quantity - after.quantity);
        }
        if (!stay.front && stay.ahead().empty()) stay.front = now;
    }
}

// Of both sides, whichever of them is followed.
void OrderWatch::note_trade(const Event& taker, const Standing& taking, Timestamp now) {
    const Event& maker = maker_event_;
    const auto note = [&](const Event& own, const Event& other, const Standing& standing) {
        const auto found = by_id_.find(own.order_id.value);
        if (!own.order_id || found == by_id_.end()) return;
        Fate& fate = fates_[found->second];
        ++fate.trade_count;
        fate.filled += own.quantity;
        fate.value += own.price.value * own.quantity.value;
        const bool is_maker = &own == &maker;
        if (!is_maker && !fate.trades.empty() && takes_more(fate.trades.back(), own, maker_, now)) {
            fate.trades.back().quantity += own.quantity;
            ++fate.trades.back().orders;
            return;
        }
        if (fate.trades.size() == Fate::k_most_trades) {
            ++fate.trades_dropped;
            return;
        }
        fate.trades.push_back({.at = now,
                               .price = own.price,
                               .quantity = own.quantity,
                               .is_maker = is_maker,
                               .was_hidden = maker_.place.is_hidden,
                               .other = other.participant,
                               .other_type = standing.type,
                               .other_limit = has_limit(standing.type) ? standing.limit : Price{},
                               .other_ordered = standing.ordered});
    };
    note(maker, taker, taking);
    note(taker, maker, maker_);
}

void OrderWatch::note_best(BestPrices& prices, const Best& best, Quantity quantity) {
    prices.quantity = quantity;
    if (prices.count > 0 && prices.back(0).is_there == best.is_there &&
        (!best.is_there || prices.back(0).price == best.price))
        return;
    prices.ring[prices.count++ % BestPrices::k_kept] = best;
}

void OrderWatch::on_change(InstrumentId instrument, const views::PublicChange& change) {
    note_best(across(instrument, Side::sell), {change.time, change.bid, change.has_bid()},
              change.bid_quantity);
    note_best(across(instrument, Side::buy), {change.time, change.ask, change.has_ask()},
              change.ask_quantity);
    for (const auto& [index, standing] : resting_)
        if (standing.instrument == instrument) look_across(index, standing);
}

void OrderWatch::look_across(Index index, const Standing& standing) {
    const auto best = facing(standing.instrument, standing.side);
    if (!best) return;
    const std::int64_t sign = standing.side == Side::buy ? 1 : -1;
    const std::int64_t distance = sign * (best->price.value - standing.limit.value);
    std::optional<std::int64_t>& nearest = fates_[index].stays.back().nearest;
    nearest = std::min(nearest.value_or(distance), distance);
}

void OrderWatch::finish(std::optional<Timestamp> ran_to) {
    const Timestamp end = ran_to.value_or(latest_);
    for (const auto& [index, standing] : resting_) {
        look_across(index, standing);
        fates_[index].stays.back().until = end;
    }
    for (const auto& [id, index] : by_id_) {
        Fate& fate = fates_[index];
        if (fate.is_done()) continue;
        fate.ended = end;
        if (const Standing* const standing = mirror_.find({id})) fate.open = standing->open;
    }
    for (const auto& [sent, index] : under_way_) fates_[index].ended = end;
}

}  // namespace damrak::explain
