// Replays a whole journal and tells what state it gives: every record is checked, every checkpoint
// compared. For those who look; changes nothing, and needs no configuration, as the journal has it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/recovery.hpp>

namespace damrak::journal {

struct Verification {
    Recovery journal;
    std::uint64_t commands = 0;  ///< of the engine, since the first record
    std::uint64_t checkpoints = 0;
    std::uint64_t state_hash = 0;
    EventCounter events;
    std::uint64_t from_snapshot = 0;  ///< its sequence; zero: replayed from the first record
    std::optional<Divergence> divergence;
    std::vector<std::string> notes;
};

enum class ReplayFrom : std::uint8_t {
    first,     ///< the first record, or the newest snapshot if that is no longer there or matched
               ///< by earlier rules
    snapshot,  ///< the newest snapshot if there is one, as a restart does
};

[[nodiscard]] Result<Verification> verify(FileSystem& files, const std::filesystem::path& folder,
                                          ReplayFrom from = ReplayFrom::first);

}  // namespace damrak::journal
