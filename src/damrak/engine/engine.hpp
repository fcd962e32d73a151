// The matching engine: `apply(state, command) -> events`, for as many instruments as it was started
// for. The rules are those of docs/matching-rules.md, whose sections the parts in detail/ cite. The
// parts are functions of the state of the engine (engine_state.hpp).
//
// A command returns its events in slices: a command of many events is not done before the last of
// them, and until then the engine takes no other. One thread owns it. A command costs its fills and
// what it passes over; nothing is allocated (but by set_capacities), locked, thrown or called
// virtually after construction, and time is only what commands say.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/detail/saved.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/engine/engine_state.hpp>
#include <damrak/engine/slice.hpp>

namespace damrak {

class Engine {
  public:
    /// Reserves all memory. Throws std::bad_alloc if there is not enough.
    explicit Engine(const EngineConfig& config);

    /// Does what the command says, up to the first slice of its events.
    [[nodiscard]] Slice apply(const Command& command);
    /// Goes on with the command whose last slice said that there is more.
    [[nodiscard]] Slice resume();
    /// Does all of it: `f(event)` for each event.
    template <class F>
    void apply(const Command& command, F&& f);

    /// The same for commands that are queued already, looking ahead at what the next ones touch:
    /// `f(i, slice)` for each slice of the events of `commands[i]`.
    template <class F>
    void apply_queued(std::span<const Command> commands, F&& f);

    /// Under the rules of version 1: the last command left work for a continuation.
    [[nodiscard]] bool left_work() const { return state_.progress.left_work; }

    /// A digest of all state that later events depend on: orders with their priority, positions,
    /// limits, counters. Equal after equal commands, on every machine. O(instruments).
    [[nodiscard]] std::uint64_t state_hash() const;

    /// Null if there is no such instrument.
    [[nodiscard]] const InstrumentState* instrument(InstrumentId id) const {
        return state_.find_instrument(id);
    }
    [[nodiscard]] const BookStore& store() const { return state_.store; }
    [[nodiscard]] const Accounts& accounts() const { return state_.accounts; }
    /// With the capacities that hold now.
    [[nodiscard]] const EngineConfig& config() const { return state_.config; }
    [[nodiscard]] CapacityDetails capacities() const { return state_.capacities(); }
    /// When the next order expires, or the largest time if none does: what a `tick` is due for.
    [[nodiscard]] Timestamp next_expiry() const;
    /// Saves or loads all state; see base/archive.hpp. Loaded into an engine that is new, which has
    /// the capacities of the one that was saved then.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        detail::transfer(self.state_, archive);
    }
    /// Changes with the layout of what is saved.
    [[nodiscard]] static constexpr std::uint32_t state_layout() { return detail::state_layout(); }
    /// Makes a state of rules version 1 that was just loaded one of today's rules. Set-up only.
    void adopt_rules_1();

    // For several engines that do together what one does (cross_shard.hpp):

    [[nodiscard]] StateDigest digest() const;
    [[nodiscard]] PoolPlaces used() const;
    [[nodiscard]] OpenTally open_tally(ParticipantId id) const;
    [[nodiscard]] Holding holding(ParticipantId id) const;
    /// Closes its accounts, of which it has no orders, and makes it as new.
    void release(ParticipantId id);
    /// What anonymous participants have to leave free.
    [[nodiscard]] const PoolPlaces& kept_free() const { return state_.kept_free; }
    /// Stops that wait and orders aside, each of which may take another price when its turn comes.
    /// Walks over the stops.
    [[nodiscard]] std::uint32_t waiting_orders() const;
    /// When the next order expires, and which of those that expire at the same time is first.
    [[nodiscard]] ExpiryQueue::Rank next_expiry_rank() const;
    /// Drops all other instruments, with their orders and accounts, as if they had never been.
    /// `wanted` is by instrument index.
    void keep_only(const std::vector<bool>& wanted);
    /// A command for one instrument, where other engines have other instruments.
    [[nodiscard]] Slice apply_beside(const Command& command, const OtherShards& others);
    /// One step of a command for all instruments. `part` stays where it is until it is done.
    [[nodiscard]] Slice apply_step(const Command& command, CommandInSteps& in_steps,
                                   const OtherShards& others);

    /// Walks over everything and asserts what must hold, the hash included. Slow: for tests.
    void check_invariants() const;

  private:
    /// How far apply_queued() looks ahead, and how many commands it applies before it tells.
    static constexpr std::size_t k_far = 8;
    static constexpr std::size_t k_run = 64;

    [[nodiscard]] std::size_t apply_run(std::span<const Command> commands, std::size_t first);
    void look_close(const Command& command, OrderIdMap::Key key);

    detail::EngineState state_;
    std::array<OrderIdMap::Key, k_far> keys_{};     ///< of the commands that come
    std::array<const Event*, k_run> event_ends_{};  ///< of the commands of a run
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
