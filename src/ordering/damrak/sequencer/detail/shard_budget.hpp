// Decides which commands one shard can apply without reading the state of the others.
//
// Shards share the participants' limits on open orders and open value, and the pools. The budget
// starts from the state of all shards and subtracts the most that each command can use; resources
// that orders release are not counted until the next reading. While a budget suffices, the
// corresponding check would pass in one engine with all instruments, and passes in any shard. If it
// does not, the state of all shards must be read again.
//
// Owned by the sequencing thread. A command costs a few additions and one cache line of a table by
// participant.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/engine_config.hpp>

namespace damrak::sequencer {

class ShardBudget {
  public:
    explicit ShardBudget(const EngineConfig& config);

    /// Subtracts what the command can use, if a shard can apply it alone and there is enough.
    /// False: nothing was subtracted. `largest_value` is the most that a price of its instrument
    /// counts.
    [[nodiscard]] bool take(const Command& command, Price largest_value);

    /// Recomputes the free slots of the pools from their use by all shards and from the number of
    /// waiting orders that may still need some.
    void renew(const PoolPlaces& used, std::uint32_t waiting_orders);
    /// Recomputes what is left for a participant. Anonymous participants must leave a part of the
    /// pools free.
    void renew(ParticipantId id, const LimitDetails& limits, bool anonymous, const OpenTally& open);
    void keep_free(const PoolPlaces& places);
    /// From now on orders may come to rest at other prices than they ask for, in some instrument.
    void expect_repricing() { reprices_ = true; }
    /// After a restart: open orders may be of any kind.
    void expect_moves(ParticipantId id) { by_participant_[id.value].moves = true; }
    /// Sets larger capacities; call renew() afterwards.
    void set_capacities(const EngineConfig& config) {
        config_ = config;
        by_participant_.resize(config.maximum_participants + std::size_t{1});
    }

  private:
    struct Left {
        std::int64_t orders = LimitDetails::k_unlimited;
        std::int64_t notional = LimitDetails::k_unlimited;
        bool may_reprice = false;  ///< had orders whose prices the engine may change on entry
        bool moves = false;        ///< may have orders whose value grows while they are open
        bool waits = false;        ///< may have orders that enter the book later
        bool anonymous = true;
    };

    /// Free slots in the pools.
    struct Room {
        /// Levels and nodes together: the number of orders that may still rest at new prices.
        /// Negative: not enough even for all stops that may trigger.
        std::int64_t prices = 0;
        std::int64_t orders = 0;
        std::int64_t extensions = 0;
        std::int64_t accounts = 0;
    };

    [[nodiscard]] static Room needs_of(const Command& command);
    [[nodiscard]] bool take_account(ParticipantId id);
    [[nodiscard]] bool take_of(ParticipantId id, const Command& command, Price largest_value);

    EngineConfig config_;
    Room room_;
    Room kept_free_;  ///< reserved from anonymous participants
    bool reprices_ = false;
    std::vector<Left> by_participant_;
};

}  // namespace damrak::sequencer
