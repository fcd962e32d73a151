// Converts snapshots of rules version 1 to today's layout, so that this release can continue after
// a graceful stop of an earlier one. Used when snapshots are read, once, at the first start of this
// release. Costs a copy of the state.
//
// Reads the layout of the last release of version 1 (commit 9a086a3). Fields that it lacked get the
// values that they would have had:
//
//   anonymous share    all of each pool, until the start sets it
//   participants       those with limits are known; first generation
//   held orders        aside, as are own orders that cross
//   owners             of orders of the binary door: an ended session
//   FIX orders         other terms from the engine; no fields to echo, short names
//   senders of UDP     IPv4
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::exchange {

/// The layout number in the header of such a snapshot.
inline constexpr std::uint32_t k_rules_1_layout = 0x8477db2f;

/// `engine` is the journal's configuration. Returns nothing if the converted state does not have
/// this hash.
[[nodiscard]] std::optional<journal::ConvertedState> convert_rules_1(
    std::span<const std::byte> state, const EngineConfig& engine, std::uint64_t state_hash);

}  // namespace damrak::exchange
