// The jobs of `damrak journal`, one a subcommand, and the one that `damrak replay` shares.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "replay/options.hpp"

namespace damrak::app {

struct JournalOptions {
    std::filesystem::path directory{};
    std::filesystem::path output{};  ///< of export; empty: standard output
    std::uint64_t from = 0;          ///< zero: the oldest record
    std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
    std::string state_hash{};  ///< that is expected; empty: none
    std::uint64_t order = 0;
    bool from_snapshot = false;
    bool json = false;
};

/// Replays the journal and compares the state with its checkpoints, and with `state_hash`.
int verify_journal(const JournalOptions& options);
/// Shows what was traded, as ReplayOptions ask for.
int replay_journal_market(const ReplayOptions& options);
int show_journal_statistics(const JournalOptions& options);
int dump_journal(const JournalOptions& options);
int export_journal(const JournalOptions& options);
int show_order(const JournalOptions& options);

}  // namespace damrak::app
