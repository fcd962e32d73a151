// The way in: one command, or a queue of them with a look ahead; and what can be asked of the
// state.
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

template <class Sink>
Engine<Sink>::Engine(const EngineConfig& config, Sink& sink)
    : config_(config),
      sink_(&sink),
      store_(config.book_capacity()),
      accounts_(config.maximum_participants, config.maximum_accounts),
      expiries_(config.maximum_extensions),
      instruments_(config.maximum_instruments) {
    DAMRAK_ASSERT(config.maximum_events >= 2 * k_event_margin);
    DAMRAK_ASSERT(config.maximum_instruments <= k_maximum_instruments);
}

template <class Sink>
bool Engine<Sink>::apply(const Command& command) {
    return apply(command, key_of(command));
}

template <class Sink>
DAMRAK_HOT bool Engine<Sink>::apply(const Command& command, OrderIdMap::Key key) {
    events_ = 0;
    command_ = command.kind;
    more_ = false;
    if (const Reason reason = dispatch(command, key); reason != Reason::none) [[unlikely]] {
        emit_reject(command, reason);
        if (command.kind == CommandKind::new_order &&
            has_flag(command, CommandFlags::k_number_refused))
            skip_order_number(command.instrument);
    }
    return more_;
}

template <class Sink>
void Engine<Sink>::skip_order_number(InstrumentId id) {
    InstrumentState* const in = find_instrument(id);
    if (in != nullptr && config_.order_id_source == OrderIdSource::engine)
        std::ignore = in->next_order_number();
}

template <class Sink>
DAMRAK_HOT Reason Engine<Sink>::dispatch(const Command& command, OrderIdMap::Key key) {
    if (command.schema_version != k_command_schema_version) [[unlikely]]
        return Reason::unsupported_schema;
    switch (command.kind) {
        case CommandKind::new_order:
            return new_order(command, key);
        case CommandKind::cancel_order:
            return cancel_order(command, key);
        case CommandKind::replace_order:
            return replace_order(command, key);
        case CommandKind::mass_cancel:
            return mass_cancel(command);
        case CommandKind::query_order:
            return query_order(command, key);
        case CommandKind::add_instrument:
            return add_instrument(command);
        case CommandKind::add_tick_band:
            return add_tick_band(command);
        case CommandKind::set_trading_state:
            return set_trading_state(command);
        case CommandKind::set_limits:
            return set_limits(command);
        case CommandKind::set_participant_state:
            return set_participant_state(command);
        case CommandKind::tick:
            return tick(command);
        case CommandKind::end_day:
            return end_day(command);
        case CommandKind::continue_cascade:
            return continue_cascade(command);
        case CommandKind::session_opened:
        case CommandKind::session_closed:
        case CommandKind::none:
            break;
    }
    return Reason::unknown_command;
}

// Steps ahead of each command: first the place of its id, then, when that has arrived, the order
// it names; with many instruments the instrument too, and at last what lies around the order or the
// price. Hints only: what they touch may have changed by the time of the command.
template <class Sink>
template <class F>
void Engine<Sink>::apply(std::span<const Command> commands, F&& f) {
    constexpr std::size_t k_far = 8;
    constexpr std::size_t k_near = 4;
    constexpr std::size_t k_close = 2;
    // A few instruments stay in the nearest cache by themselves.
    const bool many_instruments = config_.maximum_instruments > 16;
    std::array<OrderIdMap::Key, k_far> keys;
    const auto look_far = [&](std::size_t i) {
        keys[i % k_far] = key_of(commands[i]);
        store_.ids.prefetch(keys[i % k_far]);
        const std::uint32_t instrument = commands[i].instrument.value - 1;
        if (many_instruments && instrument < config_.maximum_instruments)
            instruments_[instrument].prefetch();
    };
    for (std::size_t i = 0; i < std::min(commands.size(), k_far); ++i) look_far(i);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const OrderIdMap::Key key = keys[i % k_far];
        if (i + k_far < commands.size()) look_far(i + k_far);
        if (i + k_near < commands.size())
            __builtin_prefetch(&store_.order(store_.ids.hint(keys[(i + k_near) % k_far])), 1);
        if (many_instruments && i + k_close < commands.size())
            look_close(commands[i + k_close], keys[(i + k_close) % k_far]);
        f(i, apply(commands[i], key));
    }
}

template <class Sink>
void Engine<Sink>::look_close(const Command& command, OrderIdMap::Key key) {
    const InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return;
    accounts_.prefetch(in->recent_account(command.participant));
    if (command.kind == CommandKind::new_order)
        in->book.prefetch_price(store_, static_cast<Side>(head_of(command) >> 16U & 1U),
                                in->tick_of(command.price));
    else
        in->book.prefetch_place(store_, store_.ids.hint(key));
}

template <class Sink>
std::uint64_t Engine<Sink>::state_hash() const {
    return digest().hash();
}

template <class Sink>
Timestamp Engine<Sink>::next_expiry() const {
    return std::get<Timestamp>(next_expiry_rank());
}

}  // namespace damrak
