// Instruments and their trading states (rule book, sections 2 and 10).
#include <cstdint>
#include <utility>

#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

void ReferenceEngine::add_instrument(const Command& command) {
    const InstrumentId id = command.instrument;
    if (!id || id.value > settings_.maximum_instruments)
        return reject(command, Reason::invalid_instrument);
    if (knows(id)) return reject(command, Reason::duplicate_instrument);
    const InstrumentDetails& details = command.definition;
    Instrument fresh;
    fresh.definition.id = id;
    fresh.definition.symbol = details.symbol;
    fresh.definition.tick_bands[0] = {details.minimum_price, details.tick_size};
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
}

void ReferenceEngine::add_tick_band(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    Instrument& market = instrument(command.instrument);
    if (market.had_orders || is_combined(command.instrument))
        return reject(command, Reason::instrument_in_use);
    if (const Reason r = market.definition.add_band(command.tick_band); r != Reason::none)
        return reject(command, r);
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::tick_band_added, 0);
}

void ReferenceEngine::set_trading_state(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    if (!is_valid(command.trading_state)) return reject(command, Reason::invalid_state);
    Instrument& market = instrument(command.instrument);
    market.state = command.trading_state;
    const bool by_breaker = has_flag(command, CommandFlags::k_market_wide);
    if (market.cause == HaltCause::market_wide_3) market.cause = HaltCause::none;
    if (by_breaker && market.state == TradingState::halted) market.cause = HaltCause::market_wide_3;
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::trading_state_changed,
                static_cast<std::int64_t>(command.trading_state),
                static_cast<std::int64_t>(market.cause));
    enforce_band(command.instrument);
}

void ReferenceEngine::end_day(const Command& command) {
    if (command.instrument && !knows(command.instrument))
        return reject(command, Reason::unknown_instrument);
    if ((command.flags & ~CommandFlags::k_all_of_anonymous) != 0)
        return reject(command, Reason::invalid_flags);
    const bool of_anonymous = has_flag(command, CommandFlags::k_all_of_anonymous);
    for (auto& [id, market] : state_.instruments) {
        if (command.instrument && id != command.instrument) continue;
        market.settled_trades = market.trade_numbers;
        market.changed_trades.clear();
    }
    const std::int64_t ended =
        end_orders(command, EventKind::expired, Reason::end_of_day, [&](const Order& order) {
            return order.time_in_force == TimeInForce::day ||
                   is_for_auctions(order.time_in_force) ||
                   (of_anonymous && !state_.participants[order.participant].has_own_limits);
        });
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::day_ended, ended);
}

void ReferenceEngine::set_participant_state(const Command& command) {
    if (!knows(command.participant)) return reject(command, Reason::unknown_participant);
    if (!is_valid(command.participant_state)) return reject(command, Reason::invalid_state);
    state_.participants[command.participant].state = command.participant_state;
    Command scope = command;
    scope.instrument = {};
    emit_notice(scope, EventKind::participant_state_changed,
                static_cast<std::int64_t>(command.participant_state));
    if (command.participant_state == ParticipantState::active) return;
    const std::int64_t ended =
        end_orders(scope, EventKind::cancelled, Reason::participant_kill,
                   [&](const Order& order) { return order.participant == command.participant; });
    emit_notice(scope, EventKind::mass_cancelled, ended);
}

}  // namespace damrak::reference
