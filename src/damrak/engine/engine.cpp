// The way in: a command, its next slice, or a queue of commands with a look ahead.
#include <damrak/engine/engine.hpp>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/admin.hpp>
#include <damrak/engine/detail/amend.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/available.hpp>
#include <damrak/engine/detail/cascade.hpp>
#include <damrak/engine/detail/checks.hpp>
#include <damrak/engine/detail/cross_shard.hpp>
#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/matching.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak {

Engine::Engine(const EngineConfig& config)
    : config_(config),
      store_(config.book_capacity()),
      accounts_(config.maximum_participants, config.maximum_accounts, config.rules_version > 1),
      expiries_(config.maximum_extensions),
      instruments_(config.maximum_instruments),
      events_(config.maximum_events),
      next_event_(events_.data()) {
    DAMRAK_ASSERT(config.maximum_events >= 2 * k_event_margin);
    DAMRAK_ASSERT(config.maximum_instruments <= k_maximum_instruments);
    DAMRAK_ASSERT(config.maximum_orders < 1U << AsideOrders::k_index_bits);
    DAMRAK_ASSERT(config.rules_version >= 1 && config.rules_version <= k_rules_version);
}

DAMRAK_HOT void Engine::begin() {
    DAMRAK_ASSERT(work_ == Work::none);
    next_event_ = events_.data();
    left_work_ = false;
}

DAMRAK_HOT Slice Engine::end_slice() {
    return {.first = events_.data(), .count = events_used(), .more = work_ != Work::none};
}

Slice Engine::apply(const Command& command) {
    begin();
    do_apply(command, key_of(command));
    return end_slice();
}

DAMRAK_HOT void Engine::do_apply(const Command& command, OrderIdMap::Key key) {
    command_ = command.kind;
    if (const Reason reason = dispatch(command, key); reason != Reason::none) [[unlikely]]
        refuse(command, reason);
}

DAMRAK_COLD void Engine::refuse(const Command& command, Reason reason) {
    emit_reject(command, reason);
    if (command.kind != CommandKind::new_order ||
        !has_flag(command, CommandFlags::k_number_refused))
        return;
    InstrumentState* const in = find_instrument(command.instrument);
    if (in != nullptr && config_.order_id_source == OrderIdSource::engine)
        std::ignore = in->next_order_number();
}

void Engine::suspend(Work work, InstrumentState& in) {
    work_ = work;
    suspended_.in = &in;
}

Slice Engine::resume() {
    DAMRAK_ASSERT(work_ != Work::none);
    next_event_ = events_.data();
    switch (std::exchange(work_, Work::none)) {
        case Work::matching: {
            Incoming order = suspended_.order;
            match_incoming(order);
            cascade(*order.in);
            break;
        }
        case Work::cascade:
            cascade(*suspended_.in);
            break;
        case Work::orders:
            go_on_ending();
            break;
        case Work::expiry:
            expire();
            break;
        case Work::none:
            break;
    }
    if (work_ == Work::none) go_on_behind();
    if (work_ == Work::none) {
        in_steps_ = nullptr;
        if (lent_) take_back();
    }
    return end_slice();
}

DAMRAK_HOT Reason Engine::dispatch(const Command& command, OrderIdMap::Key key) {
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
        case CommandKind::release_participant:
            return release_participant(command);
        case CommandKind::set_capacities:
            return set_capacities(command);
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
// Commands from the first on whose events the slice has room for; gives their number.
std::size_t Engine::apply_run(std::span<const Command> commands, std::size_t first) {
    constexpr std::size_t k_near = 4;
    constexpr std::size_t k_close = 2;
    begin();
    std::array<OrderIdMap::Key, k_far> keys = keys_;
    const bool many_instruments = has_many_instruments();
    const auto look_far = [&](std::size_t i) {
        const Command& command = commands[i];
        keys[i % k_far] = key_of(command);
        store_.ids.prefetch(keys[i % k_far]);
        const std::uint32_t instrument = command.instrument.value - 1;
        if (many_instruments && instrument < config_.maximum_instruments)
            instruments_[instrument].prefetch();
    };
    if (first == 0)
        for (std::size_t i = 0; i < std::min(commands.size(), k_far); ++i) look_far(i);
    // A command that is suspended leaves less than that.
    const Event* const full = events_.data() + (config_.maximum_events - k_event_margin);
    const std::size_t end = std::min(commands.size(), first + (bounded() ? 1 : k_run));
    std::size_t i = first;
    do {
        const Command& command = commands[i];
        const OrderIdMap::Key key = keys[i % k_far];
        if (i + k_far < commands.size()) look_far(i + k_far);
        if (i + k_near < commands.size())
            __builtin_prefetch(&store_.order(store_.ids.hint(keys[(i + k_near) % k_far])), 1);
        if (many_instruments && i + k_close < commands.size())
            look_close(commands[i + k_close], keys[(i + k_close) % k_far]);
        do_apply(command, key);
        // The places of ids are others then.
        if (command.kind == CommandKind::set_capacities) [[unlikely]]
            for (std::size_t j = i + 1; j < commands.size() && j <= i + k_far; ++j) look_far(j);
        event_ends_[i++ - first] = next_event_;
    } while (i < end && next_event_ <= full);
    keys_ = keys;
    return i - first;
}

void Engine::look_close(const Command& command, OrderIdMap::Key key) {
    const InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return;
    accounts_.prefetch(in->recent_account(command.participant));
    if (command.kind == CommandKind::new_order)
        in->book.prefetch_price(store_, static_cast<Side>(head_of(command) >> 16U & 1U),
                                in->tick_of(command.price));
    else
        in->book.prefetch_place(store_, store_.ids.hint(key));
}

std::uint64_t Engine::state_hash() const { return digest().hash(); }

Timestamp Engine::next_expiry() const { return std::get<Timestamp>(next_expiry_rank()); }

ExpiryQueue::Rank Engine::next_expiry_rank() const {
    if (expiries_.empty()) return {{std::numeric_limits<std::int64_t>::max()}, {}, {}};
    return ExpiryQueue::rank(store_, expiries_.first());
}

Slice Engine::apply_beside(const Command& command, const OtherShards& others) {
    lend(others, command.participant);
    const Slice slice = apply(command);
    if (!slice.more) take_back();
    return slice;
}

Slice Engine::apply_step(const Command& command, CommandInSteps& in_steps,
                         const OtherShards& others) {
    lend(others, {});
    begin();
    command_ = command.kind;
    in_steps_ = &in_steps;
    const Reason reason = dispatch(command, key_of(command));
    in_steps.rejected = reason != Reason::none;
    if (in_steps.rejected) emit_reject(command, reason);
    if (work_ == Work::none) {
        in_steps_ = nullptr;
        take_back();
    }
    return end_slice();
}

}  // namespace damrak
