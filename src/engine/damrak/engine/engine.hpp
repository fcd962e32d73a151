// The matching engine: `apply(state, command) -> events`, for a number of instruments that is fixed
// at start. The rules are in docs/matching-rules.md; the parts in detail/ cite its sections. The
// parts are functions of the engine's state (engine_state.hpp).
//
// A command returns its events in slices. A command with many events is done only after its last
// slice, and until then the engine takes no other command. One thread owns the engine. A command
// costs its fills and the orders it skips. After construction nothing allocates (except
// set_capacities), locks, throws or makes a virtual call, and time comes only from commands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/saved.hpp>
#include <damrak/engine/detail/slice.hpp>
#include <damrak/engine/engine_config.hpp>

namespace damrak {

class Engine {
  public:
    /// Reserves all memory. Throws std::bad_alloc if there is not enough.
    explicit Engine(const EngineConfig& config);

    /// Applies the command, up to the first slice of its events.
    [[nodiscard]] Slice apply(const Command& command);
    /// Continues the command whose last slice said that there is more.
    [[nodiscard]] Slice resume();
    /// Applies the whole command: `f(event)` for each event.
    template <class F>
    void apply(const Command& command, F&& f);

    /// The same for commands that are already queued, with prefetching for the next ones: `f(i,
    /// slice)` for each slice of the events of `commands[i]`.
    template <class F>
    void apply_queued(std::span<const Command> commands, F&& f);

    /// A digest of all state on which later events depend: orders with their priority, positions,
    /// limits, counters. Equal after equal commands, on every machine. O(instruments).
    [[nodiscard]] std::uint64_t state_hash() const;

    /// Null if there is no such instrument.
    [[nodiscard]] const InstrumentState* instrument(InstrumentId id) const {
        return state_.find_instrument(id);
    }
    /// The legs of an instrument; without a kind if it is no combination.
    [[nodiscard]] const CombinationDetails& combination(InstrumentId id) const {
        return state_.combinations[id].details;
    }
    /// What the auction of an instrument that exists would be if its call ended now: the indicative
    /// values. Writes the price levels to `levels`, at most config().maximum_prices(). O(levels).
    [[nodiscard]] auction::Equilibrium auction_if_now(InstrumentId id,
                                                      auction::PriceLevel* levels) const;
    [[nodiscard]] const BookStore& store() const { return state_.store; }
    [[nodiscard]] const Accounts& accounts() const { return state_.accounts; }
    /// With the current capacities.
    [[nodiscard]] const EngineConfig& config() const { return state_.config; }
    [[nodiscard]] CapacityDetails capacities() const { return state_.capacities(); }
    /// When the next order expires, and a `tick` is due; the largest time if none does.
    [[nodiscard]] Timestamp next_expiry() const;
    /// Saves or loads all state; see base/serialize.hpp. The engine that loads must be new, and it
    /// gets the capacities of the one that was saved.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        detail::transfer(self.state_, archive);
    }
    /// Changes with the layout of the saved state.
    [[nodiscard]] static constexpr std::uint32_t state_layout() { return detail::state_layout(); }

    // For several engines that act as one (cross_shard.hpp):

    [[nodiscard]] StateDigest digest() const;
    [[nodiscard]] PoolPlaces used() const;
    [[nodiscard]] OpenTally open_tally(ParticipantId id) const;
    [[nodiscard]] Holding holding(ParticipantId id) const;
    /// Closes the participant's accounts, in which it has no orders, and resets it to new.
    void release(ParticipantId id);
    /// Slots that anonymous participants must leave free.
    [[nodiscard]] const PoolPlaces& kept_free() const { return state_.kept_free; }
    /// Waiting stops, pegged orders and orders outside the queues; each may take another price when
    /// its turn comes. Walks over stops and pegged orders.
    [[nodiscard]] std::uint32_t waiting_orders() const;
    /// When the next order expires, and its rank among those that expire at the same time.
    [[nodiscard]] ExpiryQueue::Rank next_expiry_rank() const;
    /// Drops all other instruments with their orders and accounts, and all traces of them. `wanted`
    /// is by instrument index.
    void keep_only(const std::vector<bool>& wanted);
    /// Applies a command for one instrument, while other engines have other instruments.
    [[nodiscard]] Slice apply_beside(const Command& command, const OtherShards& others);
    /// Applies one step of a command for all instruments.
    [[nodiscard]] Slice apply_step(const Command& command, CommandInSteps& in_steps,
                                   const OtherShards& others);

    /// Walks over everything and asserts the invariants, the hash included. Slow: for tests.
    void check_invariants() const;

  private:
    /// How far apply_queued() prefetches, and how many commands it applies before it reports.
    static constexpr std::size_t k_far = 8;
    static constexpr std::size_t k_run = 64;

    [[nodiscard]] std::size_t apply_run(std::span<const Command> commands, std::size_t first);
    void look_close(const Command& command, OrderIdMap::Key key);

    detail::EngineState state_;
    std::array<OrderIdMap::Key, k_far> keys_{};     ///< of the next commands
    std::array<const Event*, k_run> event_ends_{};  ///< ends of the commands of a run
};

template <class F>
void Engine::apply(const Command& command, F&& f) {
    for (Slice slice = apply(command);; slice = resume()) {
        for (const Event& event : slice) f(event);
        if (!slice.more) return;
    }
}

template <class F>
void Engine::apply_queued(std::span<const Command> commands, F&& f) {
    for (std::size_t i = 0; i < commands.size();) {
        const std::size_t count = apply_run(commands, i);
        const bool more = state_.progress.work != detail::Work::none;
        const Event* first = state_.events.data();
        for (std::size_t j = 0; j < count; ++j, ++i) {
            const Event* const end = event_ends_[j];
            f(i, Slice{first, static_cast<std::uint32_t>(end - first), more && j + 1 == count});
            first = end;
        }
        for (bool goes_on = more; goes_on;) {
            const Slice slice = resume();
            goes_on = slice.more;
            f(i - 1, slice);
        }
    }
}

}  // namespace damrak
