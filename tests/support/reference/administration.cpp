// Instruments and their trading states (rule book, sections 2 and 10).
#include <cstdint>
#include <utility>

#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

bool ReferenceEngine::add_instrument(const Command& command) {
    const InstrumentId id = command.instrument;
    if (!id || id.value > settings_.maximum_instruments)
        return reject(command, Reason::invalid_instrument);
    if (knows(id)) return reject(command, Reason::duplicate_instrument);
    const InstrumentDetails& details = command.definition;
    Instrument fresh;
    fresh.definition.id = id;
    fresh.definition.symbol = details.symbol;
    fresh.definition.tick_bands[0] = {Price{0}, details.tick_size};
    fresh.definition.price_decimals = details.price_decimals;
    fresh.definition.policy = details.policy;
    fresh.definition.unpublished = details.unpublished != 0;
    fresh.definition.shard_group = details.shard_group;
    fresh.definition.lot_size = details.lot_size;
    fresh.definition.maximum_price = details.maximum_price;
    fresh.definition.maximum_quantity = details.maximum_quantity;
    if (const Reason r = fresh.definition.check(); r != Reason::none) return reject(command, r);
    state_.instruments.emplace(id, std::move(fresh));
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::instrument_added, 0);
    return false;
}

bool ReferenceEngine::add_tick_band(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    Instrument& market = instrument(command.instrument);
    if (market.had_orders) return reject(command, Reason::instrument_in_use);
    if (const Reason r = market.definition.add_band(command.tick_band); r != Reason::none)
        return reject(command, r);
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::tick_band_added, 0);
    return false;
}

bool ReferenceEngine::set_trading_state(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    if (!is_valid(command.trading_state)) return reject(command, Reason::invalid_state);
    instrument(command.instrument).state = command.trading_state;
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::trading_state_changed,
                static_cast<std::int64_t>(command.trading_state));
    return enforce_band(command.instrument);
}

/// docs/rule-book/busted-trades.md.
bool ReferenceEngine::bust_trade(const Command& command) {
    if (bounded()) return reject(command, Reason::unknown_command);
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    const ParticipantId seller = command.bust.seller;
    // Zero: a participant that was released.
    for (const ParticipantId side : {command.participant, seller})
        if (side && !knows(side)) return reject(command, Reason::unknown_participant);
    Instrument& market = instrument(command.instrument);
    if (const Reason r = check_quantity(market, command.quantity); r != Reason::none)
        return reject(command, r);
    if (command.price.value <= 0) return reject(command, Reason::invalid_price);
    bool is_of_today = false;
    for (std::uint64_t n = market.settled_trades + 1; n <= market.trade_numbers; ++n)
        is_of_today |= command.bust.trade.value == allocated_id(command.instrument, n);
    for (const ParticipantId side : {command.participant, seller})
        if (side && !state_.accounts.contains({command.instrument, side})) is_of_today = false;
    if (!is_of_today) return reject(command, Reason::unknown_trade);
    if (market.busted_trades.contains(command.bust.trade.value))
        return reject(command, Reason::trade_already_busted);
    std::size_t busted = 0;
    for (const auto& [id, other] : state_.instruments) busted += other.busted_trades.size();
    if (busted >= 1'024) return reject(command, Reason::busts_full);
    market.busted_trades.insert(command.bust.trade.value);
    if (command.participant)
        state_.accounts[{command.instrument, command.participant}] -= command.quantity;
    if (seller) state_.accounts[{command.instrument, seller}] += command.quantity;
    Event event{};
    event.kind = EventKind::trade_busted;
    event.command = command.kind;
    event.instrument = command.instrument;
    event.reference = command.bust.trade.value;
    event.price = command.price;
    event.quantity = command.quantity;
    event.participant = command.participant;
    event.order_id = command.order_id;
    events_->push_back(event);
    event.side = Side::sell;
    event.flags = EventFlags::k_aggressor;
    event.participant = seller;
    event.order_id = command.new_order_id;
    events_->push_back(event);
    return false;
}

bool ReferenceEngine::end_day(const Command& command) {
    if (command.instrument && !knows(command.instrument))
        return reject(command, Reason::unknown_instrument);
    for (auto& [id, market] : state_.instruments) {
        if (command.instrument && id != command.instrument) continue;
        market.settled_trades = market.trade_numbers;
        market.busted_trades.clear();
    }
    const Ended ended =
        end_orders(command, EventKind::expired, Reason::end_of_day, [](const Order& order) {
            return order.time_in_force == TimeInForce::day || is_for_auctions(order.time_in_force);
        });
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::day_ended, ended.count, ended.more);
    return ended.more;
}

}  // namespace damrak::reference
