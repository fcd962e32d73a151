// Settings of a journal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <damrak/journal/writer.hpp>

namespace damrak::journal {

/// Where a journal is kept, and how.
struct JournalConfig {
    std::filesystem::path directory{};
    /// Maximum size of a segment; a multiple of 4 KiB, at least 8 KiB.
    std::uint64_t segment_bytes = std::uint64_t{256} << 20U;
    /// Size of the journal's first segment; each further one may be up to four times as large as
    /// its predecessor.
    std::uint64_t first_segment_bytes = std::uint64_t{4} << 20U;
    Durability durability = Durability::async;
    /// Bytes ahead of the last record that are kept present and writable.
    std::uint64_t prefault_bytes = std::uint64_t{8} << 20U;
    /// Between two syncs with `async`; `group` does not wait.
    std::int64_t sync_interval_ns = 100'000'000;
};

}  // namespace damrak::journal
