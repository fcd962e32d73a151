// Entry points: apply one command, its next slice, or a queue of commands with prefetching.
#include <damrak/engine/engine.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/administration.hpp>
#include <damrak/engine/detail/allocation.hpp>
#include <damrak/engine/detail/amend.hpp>
#include <damrak/engine/detail/auction_orders.hpp>
#include <damrak/engine/detail/bust.hpp>
#include <damrak/engine/detail/combinations.hpp>
#include <damrak/engine/detail/cross_shard.hpp>
#include <damrak/engine/detail/end_orders.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/expiry.hpp>
#include <damrak/engine/detail/invariants.hpp>
#include <damrak/engine/detail/new_order.hpp>
#include <damrak/engine/detail/price_limits.hpp>
#include <damrak/engine/detail/quotes.hpp>
#include <damrak/engine/detail/recorded_trade.hpp>
#include <damrak/engine/detail/turns.hpp>
#include <damrak/engine/detail/uncross.hpp>

namespace damrak {

using namespace detail;  // the parts of the engine

namespace {

DAMRAK_HOT void begin(EngineState& engine) {
    DAMRAK_ASSERT(engine.progress.work == Work::none);
    engine.next_event = engine.events.data();
}

DAMRAK_HOT Slice end_slice(EngineState& engine) {
    return {.first = engine.events.data(),
            .count = engine.events_used(),
            .more = engine.progress.work != Work::none};
}

DAMRAK_COLD void refuse(EngineState& engine, const Command& command, Reason reason) {
    emit_reject(engine, command, reason);
    if (command.kind != CommandKind::new_order ||
        !has_flag(command, CommandFlags::k_number_refused))
        return;
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr || !engine.config.allocates_ids()) return;
    if (engine.config.order_id_source == OrderIdSource::engine)
        std::ignore = in->next_public_id(command.instrument);
    else
        std::ignore = engine.next_private_id(command.instrument);
}

DAMRAK_HOT Reason dispatch(EngineState& engine, const Command& command, OrderIdMap::Key key) {
    if (command.schema_version != k_command_schema_version) [[unlikely]]
        return Reason::unsupported_schema;
    switch (command.kind) {
        case CommandKind::new_order:
            return new_order(engine, command, key);
        case CommandKind::cancel_order:
            return cancel_order(engine, command, key);
        case CommandKind::replace_order:
            return replace_order(engine, command, key);
        case CommandKind::mass_cancel:
            return mass_cancel(engine, command);
        case CommandKind::query_order:
            return query_order(engine, command, key);
        case CommandKind::add_instrument:
            return add_instrument(engine, command);
        case CommandKind::add_tick_band:
            return add_tick_band(engine, command);
        case CommandKind::set_trading_state:
            return set_trading_state(engine, command);
        case CommandKind::set_limits:
            return set_limits(engine, command);
        case CommandKind::set_participant_state:
            return set_participant_state(engine, command);
        case CommandKind::tick:
            return tick(engine, command);
        case CommandKind::end_day:
            return end_day(engine, command);
        case CommandKind::release_participant:
            return release_participant(engine, command);
        case CommandKind::set_capacities:
            return set_capacities(engine, command);
        case CommandKind::recorded_trade:
            return recorded_trade(engine, command, key);
        case CommandKind::set_phase:
            return set_phase(engine, command);
        case CommandKind::uncross:
            return uncross(engine, command);
        case CommandKind::set_allocation:
            return set_allocation(engine, command);
        case CommandKind::set_lead_maker:
            return set_lead_maker(engine, command);
        case CommandKind::set_price_limits:
            return set_price_limits(engine, command);
        case CommandKind::set_price_band:
            return set_price_band(engine, command);
        case CommandKind::bust_trade:
            return bust_trade(engine, command);
        case CommandKind::correct_trade:
            return correct_trade(engine, command);
        case CommandKind::set_combination:
            return set_combination(engine, command);
        case CommandKind::quote:
            return quote(engine, command);
        case CommandKind::set_quote_protection:
            return set_quote_protection(engine, command);
        case CommandKind::session_opened:
        case CommandKind::session_closed:
        case CommandKind::day_opened:
        case CommandKind::day_closed:
        case CommandKind::breaker_levels:
        case CommandKind::none:
            break;
    }
    return Reason::unknown_command;
}

DAMRAK_HOT void do_apply(EngineState& engine, const Command& command, OrderIdMap::Key key) {
    engine.progress.command = command.kind;
    engine.progress.now = command.timestamp;
    if (const Reason reason = dispatch(engine, command, key); reason != Reason::none) [[unlikely]]
        refuse(engine, command, reason);
}

// Continues the command after the turns that it caused.
inline void go_on_behind(EngineState& engine) {
    switch (std::exchange(engine.progress.behind, Work::none)) {
        case Work::orders:
            return go_on_ending(engine);
        case Work::expiry:
            if (engine.progress.in_steps == nullptr) expire(engine);
            return;
        case Work::quote:
            return go_on_with_quote(engine);
        default:
            return;
    }
}

}  // namespace

Engine::Engine(const EngineConfig& config) : state_(config) {
    DAMRAK_ASSERT(config.maximum_events >= 2 * k_event_margin);
    DAMRAK_ASSERT(config.maximum_instruments <= k_maximum_instruments);
    DAMRAK_ASSERT(config.maximum_orders < 1U << AsideOrders::k_index_bits);
}

Slice Engine::apply(const Command& command) {
    begin(state_);
    do_apply(state_, command, state_.key_of(command));
    return end_slice(state_);
}

Slice Engine::resume() {
    Progress& progress = state_.progress;
    DAMRAK_ASSERT(progress.work != Work::none);
    state_.next_event = state_.events.data();
    switch (std::exchange(progress.work, Work::none)) {
        case Work::matching: {
            Incoming order = progress.suspended.order;
            match_incoming(state_, order);
            if (progress.behind != Work::quote) cascade(state_, *order.in);
            break;
        }
        case Work::cascade:
            cascade(state_, *progress.suspended.in);
            break;
        case Work::orders:
            go_on_ending(state_);
            break;
        case Work::expiry:
            expire(state_);
            break;
        case Work::recorded:
            go_on_with_recorded_trade(state_);
            break;
        case Work::uncross:
            go_on_with_uncross(state_);
            break;
        case Work::band:
            enforce_band(state_, *progress.suspended.in);
            break;
        case Work::auction_orders:
            attend_call(state_, *progress.suspended.in);
            if (progress.behind != Work::quote) take_turns(state_, *progress.suspended.in);
            break;
        case Work::quote:  // always behind other work
        case Work::none:
            break;
    }
    if (progress.work == Work::none) go_on_behind(state_);
    if (progress.work == Work::none) {
        progress.in_steps = nullptr;
        if (progress.lent) take_back(state_);
    }
    return end_slice(state_);
}

// Applies commands from `first` on while the slice has room for their events; returns their number.
// Prefetches in steps: first the slot of a command's id (with many instruments also the
// instrument), then the order, last the surroundings of the order or the price. These are only
// hints: the data may have changed by the time of the command.
std::size_t Engine::apply_run(std::span<const Command> commands, std::size_t first) {
    constexpr std::size_t k_near = 4;
    constexpr std::size_t k_close = 2;
    begin(state_);
    std::array<OrderIdMap::Key, k_far> keys = keys_;
    const bool many_instruments = state_.has_many_instruments();
    const auto look_far = [&](std::size_t i) {
        const Command& command = commands[i];
        keys[i % k_far] = state_.key_of(command);
        state_.store.ids.prefetch(keys[i % k_far]);
        const std::uint32_t instrument = command.instrument.value - 1;
        if (many_instruments && instrument < state_.config.maximum_instruments)
            state_.instruments[instrument].prefetch();
    };
    if (first == 0)
        for (std::size_t i = 0; i < std::min(commands.size(), k_far); ++i) look_far(i);
    // A suspended command leaves less room than that.
    const Event* const full =
        state_.events.data() + (state_.config.maximum_events - k_event_margin);
    const std::size_t end = std::min(commands.size(), first + k_run);
    std::size_t i = first;
    do {
        const Command& command = commands[i];
        const OrderIdMap::Key key = keys[i % k_far];
        if (i + k_far < commands.size()) look_far(i + k_far);
        if (i + k_near < commands.size())
            __builtin_prefetch(
                &state_.store.order(state_.store.ids.hint(keys[(i + k_near) % k_far])), 1);
        if (many_instruments && i + k_close < commands.size())
            look_close(commands[i + k_close], keys[(i + k_close) % k_far]);
        do_apply(state_, command, key);
        // The id table has moved, so look up the keys again.
        if (command.kind == CommandKind::set_capacities) [[unlikely]]
            for (std::size_t j = i + 1; j < commands.size() && j <= i + k_far; ++j) look_far(j);
        event_ends_[i++ - first] = state_.next_event;
    } while (i < end && state_.next_event <= full);
    keys_ = keys;
    return i - first;
}

auction::Equilibrium Engine::auction_if_now(InstrumentId id, auction::PriceLevel* levels) const {
    return detail::auction_if_now(state_, *state_.find_instrument(id), levels);
}

void Engine::look_close(const Command& command, OrderIdMap::Key key) {
    const InstrumentState* const in = state_.find_instrument(command.instrument);
    if (in == nullptr) return;
    state_.accounts.prefetch(in->recent_account(command.participant));
    if (command.kind == CommandKind::new_order)
        in->book.prefetch_price(state_.store, static_cast<Side>(head_of(command) >> 16U & 1U),
                                in->tick_of(command.price));
    else
        in->book.prefetch_place(state_.store, state_.store.ids.hint(key));
}

std::uint64_t Engine::state_hash() const { return digest().hash(); }

Timestamp Engine::next_expiry() const { return detail::next_expiry(state_); }

ExpiryQueue::Rank Engine::next_expiry_rank() const { return detail::next_expiry_rank(state_); }

StateDigest Engine::digest() const { return detail::digest(state_); }

PoolPlaces Engine::used() const { return detail::used(state_); }

OpenTally Engine::open_tally(ParticipantId id) const { return detail::open_tally(state_, id); }

Holding Engine::holding(ParticipantId id) const { return detail::holding(state_, id); }

void Engine::release(ParticipantId id) { detail::release(state_, id); }

std::uint32_t Engine::waiting_orders() const { return detail::waiting_orders(state_); }

void Engine::keep_only(const std::vector<bool>& wanted) { detail::keep_only(state_, wanted); }

void Engine::check_invariants() const { detail::check_invariants(state_); }

Slice Engine::apply_beside(const Command& command, const OtherShards& others) {
    lend(state_, others, command.participant);
    const Slice slice = apply(command);
    if (!slice.more) take_back(state_);
    return slice;
}

Slice Engine::apply_step(const Command& command, CommandInSteps& in_steps,
                         const OtherShards& others) {
    lend(state_, others, {});
    begin(state_);
    state_.progress.command = command.kind;
    state_.progress.now = command.timestamp;
    state_.progress.in_steps = &in_steps;
    const Reason reason = dispatch(state_, command, state_.key_of(command));
    in_steps.rejected = reason != Reason::none;
    if (in_steps.rejected) emit_reject(state_, command, reason);
    if (state_.progress.work == Work::none) {
        state_.progress.in_steps = nullptr;
        take_back(state_);
    }
    return end_slice(state_);
}

}  // namespace damrak
