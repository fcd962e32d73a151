// The engine, divided into shards: several engines, each with some of the instruments. Together
// they give the same events and state hash as one engine with all instruments.
//
// A shard belongs to the thread that matches in it; while no shard has work, all of them belong to
// the sequencing thread. There are three kinds of commands:
//   - a shard can apply it without the others (ShardBudget): apply() on its thread;
//   - a shard can apply it once the others' use of pools and limits is known: apply_alone();
//   - it concerns all instruments: apply_alone(), by the thread that owns all shards then.
//
// A command costs what it costs in one engine. apply_alone() also reads the state of every shard,
// and for all instruments that of every instrument.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/sequencer/detail/shard_budget.hpp>

namespace damrak::sequencer {

class Partition {
  public:
    static constexpr std::size_t k_maximum_shards = 64;

    Partition(const EngineConfig& config, std::size_t shards);
    ~Partition();
    Partition(const Partition&) = delete;
    Partition& operator=(const Partition&) = delete;

    [[nodiscard]] std::size_t shards() const { return shards_.size(); }
    [[nodiscard]] const EngineConfig& config() const { return config_; }

    // For a shard's thread:

    /// Like Engine::apply() and resume().
    [[nodiscard]] Slice apply(std::size_t shard, const Command& command) {
        return shards_[shard]->apply(command);
    }
    [[nodiscard]] Slice resume(std::size_t shard) { return shards_[shard]->resume(); }

    // For the sequencing thread:

    /// Shard of an instrument; unknown instruments belong to the first.
    [[nodiscard]] std::size_t shard_of(InstrumentId id) const { return place_of(id).shard; }
    /// Whether the shard may apply the command while others work; if so, counts its consumption.
    [[nodiscard]] bool is_independent(const Command& command) {
        return budget_.take(command, place_of(command.instrument).largest_value);
    }

    // For the sequencing thread while all shards are idle:

    /// The same after reading the state of all shards.
    [[nodiscard]] bool is_independent_after_look(const Command& command);
    /// Any command. Until its last slice no shard may get another one.
    [[nodiscard]] Slice apply_alone(const Command& command);
    [[nodiscard]] Slice resume_alone();
    /// Applies a whole command as one engine would, on one thread: `f(event)` for each event.
    template <class F>
    void apply(const Command& command, F&& f) {
        if (is_independent(command))
            return shards_[shard_of(command.instrument)]->apply(command, f);
        for (Slice slice = apply_alone(command);; slice = resume_alone()) {
            for (const Event& event : slice) f(event);
            if (!slice.more) return;
        }
    }
    [[nodiscard]] std::uint64_t state_hash() const;
    [[nodiscard]] Timestamp next_expiry() const;
    /// Null if there is no such instrument.
    [[nodiscard]] const InstrumentState* instrument(InstrumentId id) const {
        return shards_[shard_of(id)]->instrument(id);
    }
    [[nodiscard]] const CombinationDetails& combination(InstrumentId id) const {
        return shards_[shard_of(id)]->combination(id);
    }
    /// Accounts of the first shard: limits and states of participants are the same in all.
    [[nodiscard]] const Accounts& accounts() const { return shards_.front()->accounts(); }
    [[nodiscard]] CapacityDetails capacities() const { return shards_.front()->capacities(); }
    [[nodiscard]] bool has_instrument(InstrumentId id) const { return instrument(id) != nullptr; }
    /// Distributes the state of one engine, as Engine::transfer() saved it, over new shards.
    void take_over(std::span<const std::byte> saved_engine);
    void check_invariants() const;

  private:
    /// State of a command for apply_alone() between two slices.
    struct Alone {
        Command command{};
        Engine* engine = nullptr;      ///< of the shard whose slice was not the last
        bool of_one = false;           ///< the command ends with the engine's last slice
        CommandInSteps in_steps{};     ///< otherwise: the current step
        std::uint32_t instrument = 0;  ///< the id of the last one whose orders were processed
    };
    struct Place {
        std::size_t shard = 0;
        Price largest_value{};  ///< of a price in limits
    };

    [[nodiscard]] const Place& place_of(InstrumentId id) const {
        const std::size_t index = id.value - std::size_t{1};
        return index < places_.size() ? places_[index] : places_.back();
    }
    [[nodiscard]] std::size_t shard_for(InstrumentId id, std::uint16_t group) const;
    void look(ParticipantId id);
    void look_at_all_participants();
    void note_capacities();
    /// Resources in use by all other shards, and the participant's open orders there.
    [[nodiscard]] OtherShards others_of(const Engine& own, ParticipantId participant) const;
    [[nodiscard]] Slice add_instrument(const Command& command);
    [[nodiscard]] Slice apply_with_others(const Command& command);
    [[nodiscard]] Slice apply_to_all(const Command& command);
    [[nodiscard]] Slice release_participant(const Command& command);
    [[nodiscard]] Slice next_step();
    [[nodiscard]] Slice end_orders();
    [[nodiscard]] Slice expire();

    EngineConfig config_;
    ShardBudget budget_;
    std::vector<std::unique_ptr<Engine>> shards_;
    Alone alone_;
    std::vector<Place> places_;  ///< by instrument index; the last one for unknown instruments
};

}  // namespace damrak::sequencer
