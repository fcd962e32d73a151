// Tells which commands can be applied by one shard without looking at the others.
//
// Shards share the participants' limits on open orders and open value, and the pools. What of these
// is left is counted down here by the most that each command can take, from a state of all shards
// that was looked at before; what orders give back is not counted until the next look. As long as
// a count suffices, the check that it stands for would pass in one engine with all instruments, and
// passes in any shard. Where it does not suffice, all shards have to be looked at again.
//
// Owned by the sequencing thread. A command costs a few additions and a line of a table by
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

    /// Counts down what the command can take, if it is one for a shard alone and there is enough.
    /// False: nothing was counted. `maximum_price` is that of its instrument.
    [[nodiscard]] bool take(const Command& command, Price maximum_price);

    /// Recomputes what is left of the pools from their use by all shards and from the number of
    /// waiting orders that may still need places.
    void renew(const PoolPlaces& used, std::uint32_t waiting_orders);
    /// Recomputes what is left for a participant. Anonymous participants leave a part of the pools
    /// free.
    void renew(ParticipantId id, const LimitDetails& limits, bool anonymous, const OpenTally& open);
    void keep_free(const PoolPlaces& places);
    /// The larger capacities; call renew() afterwards.
    void set_capacities(const EngineConfig& config) {
        config_ = config;
        by_participant_.resize(config.maximum_participants + std::size_t{1});
    }

  private:
    struct Left {
        std::int64_t orders = LimitDetails::k_unlimited;
        std::int64_t notional = LimitDetails::k_unlimited;
        bool may_reprice = false;  ///< had orders whose prices the engine may change
        bool anonymous = true;
    };

    /// Free places in the pools.
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
    [[nodiscard]] bool take_of(ParticipantId id, const Command& command, Price maximum_price);

    EngineConfig config_;
    Room room_;
    Room kept_free_;  ///< for all but anonymous participants
    std::vector<Left> by_participant_;
};

}  // namespace damrak::sequencer
