// All that one engine is made of: what commands change, and how far the command is that it works
// on. The parts of the engine in detail/ are functions of it; engine.hpp is its public face.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/book/book_store.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/accounts.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/engine/expiry_queue.hpp>
#include <damrak/engine/instrument_state.hpp>

namespace damrak::detail {

/// Before a step that may take so many events, so many must be left.
inline constexpr std::uint32_t k_event_margin = 8;
/// Of an order that rests under a condition.
inline constexpr std::uint16_t k_conditional = OrderAttributes::k_held | OrderAttributes::k_aside;
/// Of a participant in an instrument.
inline constexpr std::uint32_t k_most_held_orders = 100;

/// How far the command is that the engine works on.
struct Progress {
    CommandKind command{};
    Work work{};                         ///< left for the next slice
    Work behind{};                       ///< and what goes on then
    OrderIndex latest_stopped = 0;       ///< otherwise than in a turn
    OrderIndex turning = 0;              ///< whose turn it is
    bool left_work = false;              ///< rules of version 1: for a continuation
    CommandInSteps* in_steps = nullptr;  ///< of a command that is done step by step
    Suspended suspended{};
    std::optional<Lent> lent;
};

struct EngineState {
    /// Reserves all memory. Throws std::bad_alloc if there is not enough.
    explicit EngineState(const EngineConfig& configuration)
        : config(configuration),
          store(config.book_capacity()),
          accounts(config.maximum_participants, config.maximum_accounts, config.rules_version > 1),
          expiries(config.maximum_extensions),
          instruments(config.maximum_instruments),
          events(config.maximum_events),
          next_event(events.data()) {}

    EngineConfig config;  ///< with the capacities that hold now
    BookStore store;
    Accounts accounts;
    ExpiryQueue expiries;
    std::vector<InstrumentState> instruments;  ///< by instrument index
    std::uint32_t anonymous_share = 100;       ///< percent of each pool
    PoolPlaces kept_free{};                    ///< by participants without limits of their own

    ReservedArray<Event> events;  ///< of this slice
    Event* next_event;
    Progress progress{};

    DAMRAK_HOT void emit(const Event& event) { *next_event++ = event; }
    /// In this slice.
    [[nodiscard]] std::uint32_t events_used() const {
        return static_cast<std::uint32_t>(next_event - events.data());
    }
    [[nodiscard]] std::uint32_t events_left() const {
        return config.maximum_events - events_used();
    }
    /// The slice is full: the next one goes on with that.
    void suspend(Work work, InstrumentState& in) {
        progress.work = work;
        progress.suspended.in = &in;
    }
    /// Whether the events of that step are this engine's to tell.
    [[nodiscard]] bool tells(CommandInSteps::Step step) const {
        return progress.in_steps == nullptr || progress.in_steps->step == step;
    }

    /// Whether the events of a command are bounded, as they were once.
    [[nodiscard]] bool bounded() const { return config.rules_version == 1; }
    /// A few stay in the nearest cache by themselves.
    [[nodiscard]] bool has_many_instruments() const { return config.maximum_instruments > 16; }
    [[nodiscard]] CapacityDetails capacities() const { return config.capacities(anonymous_share); }

    /// Null if there is no such instrument.
    [[nodiscard]] DAMRAK_HOT InstrumentState* find_instrument(InstrumentId id) {
        const std::uint32_t index = id.value - 1;
        if (index >= config.maximum_instruments || !instruments[index].exists()) return nullptr;
        return &instruments[index];
    }
    [[nodiscard]] const InstrumentState* find_instrument(InstrumentId id) const {
        return const_cast<EngineState*>(this)->find_instrument(id);  // which changes nothing
    }
    [[nodiscard]] InstrumentState& instrument_of(const Order& order) {
        return instruments[order.instrument.value - 1];
    }
    [[nodiscard]] ParticipantId owner_of(const Order& order) const {
        return accounts.account(order.account).participant;
    }
    [[nodiscard]] OrderIdMap::Key key_of(const Order& order) const {
        return store.ids.key_of(order.instrument, order.id);
    }
    [[nodiscard]] OrderIdMap::Key key_of(const Command& command) const {
        return store.ids.key_of(command.instrument, command.order_id);
    }
};

}  // namespace damrak::detail
