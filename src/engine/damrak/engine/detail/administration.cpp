#include <damrak/engine/detail/administration.hpp>

#include <cstddef>
#include <utility>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/base/serialize.hpp>
#include <damrak/base/touched_memory.hpp>
#include <damrak/engine/auction_bounds.hpp>
#include <damrak/engine/detail/auction_orders.hpp>
#include <damrak/engine/detail/cross_shard.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/price_limits.hpp>
#include <damrak/engine/detail/saved.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

namespace {

void keep_free(EngineState& engine, std::uint32_t anonymous_share) {
    engine.anonymous_share = anonymous_share;
    const auto rest_of = [anonymous_share](std::uint32_t capacity) {
        return static_cast<std::uint32_t>(std::uint64_t{capacity} * (100 - anonymous_share) / 100);
    };
    engine.kept_free = {.orders = rest_of(engine.config.maximum_orders),
                        .extensions = rest_of(engine.config.maximum_extensions),
                        .levels = rest_of(engine.config.maximum_levels),
                        .nodes = rest_of(engine.config.maximum_ladder_nodes),
                        .accounts = rest_of(engine.config.maximum_accounts)};
}

}  // namespace

Reason add_instrument(EngineState& engine, const Command& command) {
    const std::size_t index = command.instrument.value - 1U;
    if (index >= engine.instruments.size()) return Reason::invalid_instrument;
    if (engine.instruments[index].exists()) return Reason::duplicate_instrument;
    const InstrumentDefinition definition = definition_of(command);
    if (const Reason reason = definition.check(); reason != Reason::none) return reason;
    engine.instruments[index].define(definition);
    emit_plain(engine, EventKind::instrument_added, command.instrument, {}, 0);
    return Reason::none;
}

Reason add_tick_band(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (in->ever_used || in->combined()) return Reason::instrument_in_use;
    InstrumentDefinition definition = in->definition();
    if (const Reason reason = definition.add_band(command.tick_band); reason != Reason::none)
        return reason;
    in->define(definition);
    emit_plain(engine, EventKind::tick_band_added, command.instrument, {}, 0);
    return Reason::none;
}

Reason set_trading_state(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!is_valid(command.trading_state)) return Reason::invalid_state;
    in->state = command.trading_state;
    if (in->state == TradingState::halted && has_flag(command, CommandFlags::k_market_wide))
        in->cause = HaltCause::market_wide_3;
    else if (in->cause == HaltCause::market_wide_3)
        in->cause = {};
    emit_plain(engine, EventKind::trading_state_changed, command.instrument, {},
               static_cast<std::int64_t>(command.trading_state),
               static_cast<std::int64_t>(in->cause));
    enforce_band(engine, *in);
    return Reason::none;
}

Reason set_phase(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    const PhaseDetails& wanted = command.phase;
    if (!is_valid(wanted.phase) || !is_valid(wanted.auction) || !is_valid(wanted.call) ||
        wanted.sealed > 1 || (wanted.sealed != 0 && wanted.phase != Phase::call) ||
        (wanted.restrictions & ~PhaseRestrictions::k_all) != 0 || !is_valid(wanted.cause))
        return Reason::invalid_state;
    if (!suits_auctions(in->definition())) return Reason::invalid_instrument;
    // Only uncross leads back to continuous trading, with a book that is not crossed, and to
    // trading at the price of its auction.
    const bool lacks_auction = wanted.phase == Phase::at_last && in->phase != Phase::at_last;
    if (lacks_auction || (wanted.phase == Phase::continuous && in->collects()))
        return Reason::not_in_phase;
    // Only uncross displays what a sealed call hides.
    if (in->sealed && wanted.sealed == 0) return Reason::not_in_phase;
    if (!in->sealed) in->batch_begin = in->book.last_arrival();
    in->sealed = wanted.sealed != 0;
    in->phase = wanted.phase;
    in->phase_since = command.timestamp;
    in->auction = wanted.auction;
    in->call = wanted.call;
    in->restrictions = wanted.restrictions;
    in->note_rules();
    // The last level of the market-wide breaker is the cause for the rest of its day.
    if (in->cause != HaltCause::market_wide_3) in->cause = wanted.cause;
    emit_plain(engine, EventKind::phase_changed, command.instrument, {},
               static_cast<std::int64_t>(wanted.phase), static_cast<std::int64_t>(in->cause));
    attend_call(engine, *in);
    if (engine.progress.work == Work::none) cascade(engine, *in);
    return Reason::none;
}

Reason set_limits(EngineState& engine, const Command& command) {
    if (command.participant && !engine.accounts.is_valid(command.participant))
        return Reason::unknown_participant;
    const LimitDetails& limits = command.limits;
    if (limits.order_quantity.value < 0 || limits.order_notional < 0 || limits.open_orders < 0 ||
        limits.open_notional < 0 || limits.position.value < 0)
        return Reason::invalid_limits;
    if ((command.flags & ~CommandFlags::k_default_limits) != 0) return Reason::invalid_flags;
    const bool own = !has_flag(command, CommandFlags::k_default_limits);
    engine.accounts.set_limits(command.participant, own ? limits : LimitDetails{}, own);
    emit_plain(engine, EventKind::limits_set, {}, command.participant, 0);
    return Reason::none;
}

Reason release_participant(EngineState& engine, const Command& command) {
    if (!engine.accounts.is_valid(command.participant)) return Reason::unknown_participant;
    if ((command.flags & ~CommandFlags::k_write_off) != 0) return Reason::invalid_flags;
    const Participant& participant = engine.accounts.participant(command.participant);
    Holding held = holding(engine, command.participant);
    if (engine.progress.lent) held.add(engine.progress.lent->others.holding);
    if (participant.configured || participant.state != ParticipantState::active ||
        participant.open_orders > 0 ||
        (held.positions > 0 && !has_flag(command, CommandFlags::k_write_off)))
        return Reason::participant_in_use;
    release(engine, command.participant);
    engine.emit({.kind = EventKind::participant_released,
                 .command = engine.progress.command,
                 .participant = command.participant,
                 .reference = participant.generation,
                 .quantity = Quantity{held.accounts},
                 .remaining = Quantity{held.positions}});
    return Reason::none;
}

void reserve(EngineState& engine, const CapacityDetails& capacities) {
    engine.config = engine.config.with(capacities);
    engine.store = BookStore{engine.config.book_capacity()};
    engine.accounts = Accounts{engine.config.maximum_participants, engine.config.maximum_accounts};
    engine.expiries = ExpiryQueue{engine.config.maximum_extensions};
    engine.changed_trades = ChangedTrades{engine.config.maximum_instruments};
    engine.quote_protections = QuoteProtections{engine.config.maximum_instruments};
    engine.combinations = Combinations{engine.config.maximum_instruments};
    engine.instruments = std::vector<InstrumentState>(engine.config.maximum_instruments);
    engine.private_order_numbers = std::vector<std::uint64_t>(engine.config.maximum_instruments);
    engine.call_levels = ReservedArray<auction::PriceLevel>(engine.config.maximum_prices());
    engine.sharing = Sharing{engine.config.maximum_orders};
    keep_free(engine, capacities.anonymous_share);
}

namespace {

void grow(EngineState& engine, const CapacityDetails& capacities) {
    const TouchedMemory touched;
    const std::vector<std::byte> state =
        saved_bytes([&engine](auto& archive) { transfer_state(std::as_const(engine), archive); });
    reserve(engine, capacities);
    LoadArchive loaded{state};
    transfer_state(engine, loaded);
    DAMRAK_ASSERT(loaded.complete());
}

}  // namespace

Reason set_capacities(EngineState& engine, const Command& command) {
    const CapacityDetails& wanted = command.capacities;
    if (!engine.config.with(wanted).has_room_of(engine.config) || wanted.anonymous_share < 1 ||
        wanted.anonymous_share > 100)
        return Reason::invalid_capacity;
    if (engine.config.with(wanted) != engine.config) grow(engine, wanted);
    keep_free(engine, wanted.anonymous_share);
    emit_plain(engine, EventKind::capacities_set, {}, {}, 0);
    return Reason::none;
}

}  // namespace damrak::detail
