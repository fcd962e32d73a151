// The engine, cut into shards: several engines with some of the instruments each, which together
// give the events and the state hash that one engine with all of them gives for the same commands.
//
// A shard belongs to the thread that matches in it; as long as no shard has anything to do, all of
// them belong to the sequencing thread. Commands are of three kinds:
//   - what one shard can do without the others (Allowance): apply() on its thread;
//   - what one shard can do once it is known what the others use of pools and limits, and
//   - what concerns all instruments: apply_alone(), by the one thread that owns all shards then.
//
// A command costs what it costs in one engine. Alone it costs a look at every shard more, for all
// instruments one at every instrument.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <damrak/base/spsc_ring.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/sequencer/allowance.hpp>

namespace damrak::sequencer {

using EventRing = SpscRing<Event>;

/// Where the events of a shard's engine go: into a ring that has room for those of a command.
class Outlet {
  public:
    /// Null: nowhere.
    void lead_to(EventRing* ring) { ring_ = ring; }
    void on_event(const Event& event) {
        if (ring_ == nullptr) return;
        Event* const slot = ring_->claim();
        DAMRAK_ASSERT(slot != nullptr);
        *slot = event;
        ring_->publish();
    }

  private:
    EventRing* ring_ = nullptr;
};

using ShardEngine = Engine<Outlet>;

class Partition {
  public:
    static constexpr std::size_t k_maximum_shards = 64;

    Partition(const EngineConfig& config, std::size_t shards);
    ~Partition();
    Partition(const Partition&) = delete;
    Partition& operator=(const Partition&) = delete;

    [[nodiscard]] std::size_t shards() const { return shards_.size(); }
    [[nodiscard]] const EngineConfig& config() const { return config_; }

    // Of a shard's thread:

    /// True if work is left, as Engine::apply().
    [[nodiscard]] bool apply(std::size_t shard, const Command& command, EventRing& events);

    // Of the sequencing thread:

    /// Where an instrument is; one that does not exist is in the first.
    [[nodiscard]] std::size_t shard_of(InstrumentId id) const { return place_of(id).shard; }
    /// Whether its shard may apply the command while others work; counted in then.
    [[nodiscard]] bool is_independent(const Command& command) {
        return allowance_.take(command, place_of(command.instrument).maximum_price);
    }

    // Of the sequencing thread while no shard has anything to do:

    /// The same after a look at all shards.
    [[nodiscard]] bool is_independent_after_look(const Command& command);
    /// Any command. True if work is left.
    [[nodiscard]] bool apply_alone(const Command& command, EventRing& events);
    /// As one engine would, in one thread.
    [[nodiscard]] bool apply(const Command& command, EventRing& events) {
        return is_independent(command) ? apply(shard_of(command.instrument), command, events)
                                       : apply_alone(command, events);
    }
    [[nodiscard]] std::uint64_t state_hash() const;
    [[nodiscard]] Timestamp next_expiry() const;
    /// Null if there is no such instrument.
    [[nodiscard]] const InstrumentState* instrument(InstrumentId id) const {
        return shards_[shard_of(id)]->engine.instrument(id);
    }
    /// Of the first shard: limits and states of participants are alike in all.
    [[nodiscard]] const Accounts& accounts() const { return shards_.front()->engine.accounts(); }
    [[nodiscard]] bool has_instrument(InstrumentId id) const { return instrument(id) != nullptr; }
    /// The state of one engine, as Engine::transfer() saved it, cut into shards that are new.
    void take_over(std::span<const std::byte> saved_engine);
    void check_invariants() const;

  private:
    struct Shard {
        explicit Shard(const EngineConfig& config) : engine(config, outlet) {}
        Outlet outlet;
        ShardEngine engine;
    };
    struct Place {
        std::size_t shard = 0;
        Price maximum_price{};
    };

    [[nodiscard]] const Place& place_of(InstrumentId id) const {
        const std::size_t index = id.value - std::size_t{1};
        return index < places_.size() ? places_[index] : places_.back();
    }
    [[nodiscard]] std::size_t shard_for(InstrumentId id, std::uint16_t group) const;
    void look(ParticipantId id);
    void add_instrument(const Command& command, EventRing& events);
    [[nodiscard]] bool apply_with_others(const Command& command, EventRing& events);
    [[nodiscard]] bool apply_to_all(const Command& command, EventRing& events);
    void end_orders(const Command& command, Part& part, EventRing& events);
    void expire(const Command& command, Part& part, EventRing& events);

    EngineConfig config_;
    Allowance allowance_;
    std::vector<std::unique_ptr<Shard>> shards_;
    std::vector<Place> places_;  ///< by instrument index; the last one for those that do not exist
};

}  // namespace damrak::sequencer

namespace damrak {

extern template class Engine<sequencer::Outlet>;

}  // namespace damrak
