// Functions by which several engines act as one, except for the commands themselves: see
// engine/cross_shard.hpp.
#pragma once

#include <vector>

#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

/// For the duration of the command, reduces the pools by what other engines use, and adds the
/// participant's open orders there.
void lend(EngineState& engine, const OtherShards& others, ParticipantId participant);
void take_back(EngineState& engine);

[[nodiscard]] StateDigest digest(const EngineState& engine);
[[nodiscard]] PoolPlaces used(const EngineState& engine);
[[nodiscard]] OpenTally open_tally(const EngineState& engine, ParticipantId id);
[[nodiscard]] Holding holding(const EngineState& engine, ParticipantId id);
void release(EngineState& engine, ParticipantId id);
[[nodiscard]] std::uint32_t waiting_orders(const EngineState& engine);
void keep_only(EngineState& engine, const std::vector<bool>& wanted);

}  // namespace damrak::detail
