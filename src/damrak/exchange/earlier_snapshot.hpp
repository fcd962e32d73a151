// Snapshots of rules version 1, in today's layout: what a graceful stop of an earlier release left
// is what today's goes on from. Used where snapshots are read, once, at the first start of this
// release. Costs a copy of the state.
//
// Read is the layout of one release, the last one of version 1 (commit 9a086a3). What it did not
// keep has the value that it would have had:
//
//   anonymous share    all of each pool, until the start sets it
//   participants       those with limits are known; first generation
//   held orders        aside of the queues, and so are own orders that cross
//   owners             of orders of the binary door: a session that is over
//   FIX orders         further terms as the engine has them; no fields to repeat, short names
//   senders of UDP     by IPv4
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::exchange {

/// In the header of such a snapshot.
inline constexpr std::uint32_t k_rules_1_layout = 0x8477db2f;

/// `engine` is that of the journal. Nothing, if it is not the state that had this hash.
[[nodiscard]] std::optional<journal::ConvertedState> convert_rules_1(
    std::span<const std::byte> state, const EngineConfig& engine, std::uint64_t state_hash);

}  // namespace damrak::exchange
