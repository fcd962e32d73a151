// docs/rule-book/combinations.md.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "support/reference/meeting.hpp"
#include "support/reference/price_limits.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

__extension__ using Wide = __int128;

/// An instrument of a combination, and how much of it one unit is. The combination itself counts
/// against its legs.
struct Member {
    InstrumentId instrument{};
    std::int64_t weight = 0;
};

std::vector<Member> members_of(InstrumentId id, const CombinationDetails& details) {
    std::vector<Member> members{{id, -1}};
    for (const auto& leg : details.legs)
        if (leg.ratio != 0) members.push_back({leg.instrument, leg.ratio});
    return members;
}

bool is_open(const Instrument& market) {
    return market.state == TradingState::trading && market.phase == Phase::continuous;
}

bool has_order(const Instrument& market, ParticipantId owner, Side side) {
    bool found = false;
    visit(market, [&](const Order& order) {
        found = found || (order.participant == owner && order.side == side);
        return !found;
    });
    return found;
}

/// The queues of the best price that has any.
Level* best_level(Instrument& market, Side side) {
    for (auto& [price, level] : market.levels(side))
        if (!level.displayed.empty() || !level.hidden.empty()) return &level;
    return nullptr;
}

const Level* best_level(const Instrument& market, Side side) {
    return best_level(const_cast<Instrument&>(market), side);
}

Price price_of(const Level& level) {
    return (level.displayed.empty() ? level.hidden : level.displayed).front().price;
}

std::int64_t tradable_now(const Level& level) {
    std::int64_t sum = 0;
    for (const Queue* queue : {&level.displayed, &level.hidden})
        for (const Order& order : *queue) sum += tradable(order).value;
    return sum;
}

bool is_price(const Instrument& market, Wide price) {
    const Price whole{static_cast<std::int64_t>(price)};
    return whole.value == price && market.definition.in_range(whole) &&
           market.definition.on_tick(whole) && may_trade_at(market, whole);
}

}  // namespace

void ReferenceEngine::set_combination(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    Instrument& market = instrument(command.instrument);
    const CombinationDetails& details = command.combination;
    const InstrumentDefinition& own = market.definition;
    bool sound = details.kind == CombinationKind::spread || details.kind == CombinationKind::basket;
    std::vector<InstrumentId> legs;
    bool ended = false;
    for (const auto& leg : details.legs) {
        if (ended && (leg.instrument.value != 0 || leg.ratio != 0)) sound = false;
        ended = ended || leg.ratio == 0;
        if (leg.ratio == 0) {
            sound = sound && leg.instrument.value == 0;
            continue;
        }
        if (!knows(leg.instrument) || leg.instrument == command.instrument ||
            std::ranges::find(legs, leg.instrument) != legs.end()) {
            sound = false;
            continue;
        }
        legs.push_back(leg.instrument);
        const Instrument& other = instrument(leg.instrument);
        sound = sound && !other.combination && std::abs(std::int64_t{leg.ratio}) <= 10'000 &&
                other.definition.shard_group == own.shard_group &&
                other.definition.price_decimals == own.price_decimals &&
                other.definition.lot_size == own.lot_size &&
                other.definition.common_tick().value % own.common_tick().value == 0;
    }
    if (details.kind == CombinationKind::basket && own.lot_size.value != 1) sound = false;
    if (!sound || legs.size() < 2 || own.shard_group == 0 || own.band_count != 1)
        return reject(command, Reason::invalid_legs);
    if (market.had_orders || is_combined(command.instrument))
        return reject(command, Reason::instrument_in_use);
    for (const InstrumentId leg : legs) {
        const auto uses = std::ranges::count_if(combinations_, [&](InstrumentId id) {
            return std::ranges::any_of(instrument(id).combination->legs,
                                       [&](const auto& each) { return each.instrument == leg; });
        });
        if (uses >= 8) return reject(command, Reason::combinations_full);
    }
    market.combination = details;
    combinations_.push_back(command.instrument);
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::combination_set, 0);
}

/// Whether it is a combination, or a leg of one.
bool ReferenceEngine::is_combined(InstrumentId id) const {
    return std::ranges::any_of(combinations_, [&](InstrumentId combination) {
        return combination == id ||
               std::ranges::any_of(instrument(combination).combination->legs,
                                   [&](const auto& leg) { return leg.instrument == id; });
    });
}

/// The other books of a combination, from the side of an order: whose orders trade with it.
std::vector<ReferenceEngine::Share> ReferenceEngine::shares_of(const Order& order,
                                                               InstrumentId combination) const {
    const auto members = members_of(combination, *instrument(combination).combination);
    const auto own = std::ranges::find(members, order.instrument, &Member::instrument);
    std::vector<Share> shares;
    for (const Member& member : members) {
        if (member.instrument == order.instrument) continue;
        const std::int64_t flow = member.weight * own->weight * (order.side == Side::buy ? 1 : -1);
        shares.push_back(
            {member.instrument, flow > 0 ? Side::buy : Side::sell, std::abs(member.weight)});
    }
    return shares;
}

bool ReferenceEngine::may_trade_across(const Order& order, const std::vector<Share>& shares) const {
    const bool minds_own = order.self_trade_prevention != SelfTradePrevention::none;
    return is_open(instrument(order.instrument)) &&
           std::ranges::all_of(shares, [&](const Share& share) {
               const Instrument& other = instrument(share.instrument);
               return is_open(other) &&
                      !(minds_own && has_order(other, order.participant, share.side));
           });
}

std::optional<ReferenceEngine::Implied> ReferenceEngine::implied_by(
    const Order& order, InstrumentId combination) const {
    const Instrument& market = instrument(order.instrument);
    const CombinationDetails& details = *instrument(combination).combination;
    if (details.kind != CombinationKind::spread) return std::nullopt;
    for (const auto& leg : details.legs)
        if (leg.instrument == order.instrument && std::abs(leg.ratio) != 1) return std::nullopt;
    const std::vector<Share> shares = shares_of(order, combination);
    if (!may_trade_across(order, shares)) return std::nullopt;
    std::int64_t units = std::numeric_limits<std::int64_t>::max();
    Wide sum = 0;
    for (const Share& share : shares) {
        const Level* const level = best_level(instrument(share.instrument), share.side);
        if (level == nullptr) return std::nullopt;
        const Price price = price_of(*level);
        if (!may_trade_at(instrument(share.instrument), price)) return std::nullopt;
        units = std::min(units, tradable_now(*level) / share.ratio);
        const Wide value = Wide{price.value} * share.ratio;
        sum += share.side == order.side ? -value : value;
    }
    units -= units % market.definition.lot_size.value;
    if (units == 0 || !is_price(market, sum)) return std::nullopt;
    return Implied{combination, Price{static_cast<std::int64_t>(sum)}, units};
}

/// Of equal prices that of the combination that was set first.
std::optional<ReferenceEngine::Implied> ReferenceEngine::best_implied(const Order& order) const {
    std::optional<Implied> best;
    for (const InstrumentId id : combinations_) {
        const auto& legs = instrument(id).combination->legs;
        const bool takes_part =
            id == order.instrument || std::ranges::any_of(legs, [&](const auto& leg) {
                return leg.instrument == order.instrument;
            });
        const auto implied = takes_part ? implied_by(order, id) : std::nullopt;
        if (implied && (!best || (order.side == Side::buy ? implied->price < best->price
                                                          : implied->price > best->price)))
            best = implied;
    }
    return best;
}

/// The price at which it would trade first.
std::optional<Price> ReferenceEngine::first_price(const Order& order) const {
    const std::optional<Price> own = touch(order);
    const auto implied = best_implied(order);
    if (!implied || !reaches(order, implied->price)) return own;
    if (own && is_within(order.side, *own, implied->price)) return own;
    return implied->price;
}

/// An order at rest trades across books. `event` has what they have in common.
void ReferenceEngine::fill_across(Instrument& market, Queue& queue, Queue::iterator at, Event event,
                                  Price price, Quantity quantity) {
    fill(*at, quantity);
    event.flags = EventFlags::k_implied;
    event.price = price;
    event.quantity = quantity;
    emit(event, *at);
    if (at->open.value == 0) {
        end_link(*at, true);
        queue.erase(at);
    } else if (tradable(*at).value == 0) {
        refresh_slice({&queue, at});
    } else {
        count_trades(*at);
    }
    remove_empty_levels(market);
    note_trade(market, price);
    const InstrumentId id = market.definition.id;
    if (std::ranges::find(due_, id) == due_.end()) due_.push_back(id);
}

/// The books of others trade this many units with this order. Says what a unit costs it.
Price ReferenceEngine::trade_shares(const std::vector<Share>& shares, Side side, std::int64_t units,
                                    const Event& event) {
    Wide paid = 0;
    for (const Share& share : shares) {
        Instrument& other = instrument(share.instrument);
        for (std::int64_t left = units * share.ratio; left > 0;) {
            Level& level = *best_level(other, share.side);
            Queue& queue = level.displayed.empty() ? level.hidden : level.displayed;
            const Price price = queue.front().price;
            const std::int64_t quantity = std::min(left, tradable(queue.front()).value);
            left -= quantity;
            paid += Wide{price.value} * (share.side == side ? -quantity : quantity);
            fill_across(other, queue, queue.begin(), event, price, Quantity{quantity});
        }
    }
    return Price{static_cast<std::int64_t>(paid / units)};
}

Event ReferenceEngine::new_trade(InstrumentId combination) {
    Event event{};
    event.kind = EventKind::executed;
    event.reference = allocated_id(combination, ++instrument(combination).trade_numbers);
    return event;
}

void ReferenceEngine::trade_across(Order& order, InstrumentId combination, std::int64_t units) {
    Event event = new_trade(combination);
    const Price price = trade_shares(shares_of(order, combination), order.side, units, event);
    order.open -= Quantity{units};
    order.executed += Quantity{units};
    state_.accounts[{order.instrument, order.participant}] +=
        order.side == Side::buy ? Quantity{units} : Quantity{-units};
    event.flags = EventFlags::k_aggressor | EventFlags::k_implied;
    event.price = price;
    event.quantity = Quantity{units};
    emit(event, order);
    note_trade(instrument(order.instrument), price);
}

/// Orders at rest of the spreads that the instrument is part of trade at implied prices.
void ReferenceEngine::trade_waiting(InstrumentId id) {
    const auto is_part = [&](InstrumentId spread) {
        const CombinationDetails& details = *instrument(spread).combination;
        return details.kind == CombinationKind::spread &&
               (spread == id || std::ranges::any_of(details.legs, [&](const auto& leg) {
                    return leg.instrument == id;
                }));
    };
    const auto trades = [&](InstrumentId spread) {
        return is_part(spread) &&
               (trade_waiting(spread, Side::buy) || trade_waiting(spread, Side::sell));
    };
    while (std::ranges::any_of(combinations_, trades)) {
    }
}

/// The first of a side that may trade does. Only the first hundred are looked at.
bool ReferenceEngine::trade_waiting(InstrumentId spread, Side side) {
    Instrument& market = instrument(spread);
    int looked_at = 0;
    for (auto& [price, level] : market.levels(side))
        for (Queue* queue : {&level.displayed, &level.hidden})
            for (auto at = queue->begin(); at != queue->end(); ++at) {
                if (++looked_at > 100) return false;
                const auto implied = implied_by(*at, spread);
                if (!implied || !reaches(*at, implied->price)) continue;
                const std::int64_t units = std::min(implied->units, tradable(*at).value);
                const Event event = new_trade(spread);
                const Price paid = trade_shares(shares_of(*at, spread), side, units, event);
                fill_across(market, *queue, at, event, paid, Quantity{units});
                return true;
            }
    return false;
}

/// At each price the orders of its own book first.
ReferenceEngine::Matching ReferenceEngine::match_combined(Order& order) {
    Instrument& market = instrument(order.instrument);
    Matching matching;
    std::optional<Price> passed;  // its own held orders may be left there
    const auto next_price = [&]() -> std::optional<Price> {
        for (const auto& [price, level] : market.levels(opposite(order.side)))
            if (!(passed && is_within(order.side, price, *passed)) && reaches(order, price) &&
                meets_any(order, level))
                return price;
        return std::nullopt;
    };
    while (order.open.value > 0 && matching.stopped == Reason::none &&
           !matching.passed_own_in_level) {
        const std::optional<Price> own = next_price();
        const auto implied = best_implied(order);
        const bool takes_implied = implied && reaches(order, implied->price) &&
                                   is_allowed(order, implied->price) &&
                                   !(own && is_within(order.side, *own, implied->price));
        if (takes_implied) {
            trade_across(order, implied->combination, std::min(order.open.value, implied->units));
        } else {
            if (!own || !is_allowed(order, *own)) break;
            passed = own;
            match_level(order, market.levels(opposite(order.side)).at(*own), matching);
            remove_empty_levels(market);
        }
    }
    return matching;
}

/// What the n-th unit costs, if all books have this much at allowed prices.
std::optional<Price> ReferenceEngine::price_of_unit(const Order& order, std::int64_t unit) const {
    Wide sum = 0;
    for (const Share& share : shares_of(order, order.instrument)) {
        std::int64_t skipped = (unit - 1) * share.ratio;
        std::int64_t left = share.ratio;
        const Instrument& other = instrument(share.instrument);
        for (const auto& [price, level] : other.levels(share.side)) {
            std::int64_t here = 0;
            for (const Queue* queue : {&level.displayed, &level.hidden})
                for (const Order& resting : *queue) here += resting.open.value;
            const std::int64_t passed = std::min(skipped, here);
            skipped -= passed;
            const std::int64_t taken = std::min(left, here - passed);
            left -= taken;
            if (taken > 0 && !may_trade_at(other, price)) return std::nullopt;
            sum += Wide{price.value} * (share.side == order.side ? -taken : taken);
        }
        if (left > 0) return std::nullopt;
    }
    if (!is_price(instrument(order.instrument), sum)) return std::nullopt;
    return Price{static_cast<std::int64_t>(sum)};
}

/// Every unit must be there and within the limit, or none trades.
void ReferenceEngine::enter_basket(Order& order) {
    const std::vector<Share> shares = shares_of(order, order.instrument);
    bool available = may_trade_across(order, shares);
    for (std::int64_t unit = 1; available && unit <= order.open.value; ++unit) {
        const auto price = price_of_unit(order, unit);
        available = price && reaches(order, *price) && is_allowed(order, *price);
    }
    if (!available) return take_away(order, order.open, Reason::fill_or_kill);
    while (order.open.value > 0) {
        std::int64_t units = order.open.value;
        for (const Share& share : shares)
            units = std::min(
                units,
                tradable_now(*best_level(instrument(share.instrument), share.side)) / share.ratio);
        trade_across(order, order.instrument, std::max<std::int64_t>(units, 1));
    }
}

}  // namespace damrak::reference
