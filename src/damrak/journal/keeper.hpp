// The helpers of a journal, agents that a runner drives, each on a thread of its own or one after
// the other; a test steps them. The keeper works ahead of the sequencing thread: it makes the next
// segment and the next pages of this one ready. The syncer works behind it: it brings to the disk
// what was appended, marks how far that is, and lets go of segments that are done. They are two, so
// that a slow disk delays the syncer only.
//
// do_work(now) returns what was done, zero if nothing was; `now` is nanoseconds of the calendar,
// for the headers of segments. Its clock may be set: what is due by it may then come early, but
// not late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include <damrak/journal/detail/handover.hpp>
#include <damrak/journal/detail/segment_chain.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/journal/writer.hpp>

namespace damrak::journal {

struct JournalConfig {
    std::filesystem::path directory{};
    /// Of a segment, at most; a multiple of 4 KiB, at least 8 KiB.
    std::uint64_t segment_bytes = std::uint64_t{256} << 20U;
    /// Of the first one of all; each that follows may be four times as large as the one before.
    std::uint64_t first_segment_bytes = std::uint64_t{4} << 20U;
    Durability durability = Durability::async;
    /// Kept present and writable ahead of the last record.
    std::uint64_t prefault_bytes = std::uint64_t{8} << 20U;
    /// Between two syncs of `async`; `group` does not wait.
    std::int64_t sync_interval_ns = 100'000'000;
};

class JournalKeeper {
  public:
    JournalKeeper(FileSystem& files, const JournalConfig& config, detail::SegmentChain& chain,
                  detail::Handover& handover)
        : files_(&files), config_(&config), chain_(&chain), handover_(&handover) {}

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}

    [[nodiscard]] std::uint64_t segments_made() const { return segments_made_; }

  private:
    [[nodiscard]] bool prepare_next(std::int64_t now_ns);
    [[nodiscard]] bool prefault_ahead();
    void keep_writable();
    void prefault(detail::MappedSegment& segment, std::size_t from, std::size_t to);

    /// After a segment could not be made: the disk may have room again by then.
    static constexpr std::int64_t k_retry_ns = 1'000'000'000;

    FileSystem* files_;
    const JournalConfig* config_;
    detail::SegmentChain* chain_;
    detail::Handover* handover_;
    std::int64_t retry_at_ns_ = INT64_MIN;
    std::uint64_t segments_made_ = 0;
    std::uint64_t seen_appended_ = 0;
};

class JournalSyncer {
  public:
    JournalSyncer(const JournalConfig& config, detail::SegmentChain& chain,
                  detail::Handover& handover)
        : config_(&config), chain_(&chain), handover_(&handover) {}

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    /// Everything is on the disk and marked on return, unless the disk failed. The sequencing
    /// thread appends nothing any more.
    void on_close();

  private:
    [[nodiscard]] std::size_t sync_appended(std::uint64_t up_to);
    [[nodiscard]] std::uint64_t before_the_last_page() const;
    [[nodiscard]] bool sync(detail::MappedSegment& segment, std::uint64_t first,
                            std::uint64_t last);
    void mark(detail::MappedSegment& segment, std::uint64_t sequence);
    [[nodiscard]] bool seal(detail::MappedSegment& segment, std::uint64_t synced);
    [[nodiscard]] bool sync_mark(detail::MappedSegment& segment);
    [[nodiscard]] std::size_t release_done();

    /// The mark itself goes to the disk this often: a sync of one page.
    static constexpr std::int64_t k_mark_interval_ns = 1'000'000'000;

    const JournalConfig* config_;
    detail::SegmentChain* chain_;
    detail::Handover* handover_;
    std::int64_t next_sync_ns_ = INT64_MIN;
    std::int64_t next_mark_ns_ = INT64_MIN;
    std::uint64_t mark_on_disk_ = 0;
};

/// The size of the segment behind one of this size; zero: of the first.
[[nodiscard]] std::uint64_t next_segment_bytes(const JournalConfig& config, std::uint64_t before);

/// A new segment whose header is on the disk, under its final name.
[[nodiscard]] Result<detail::SegmentChain::Held> make_segment(FileSystem& files,
                                                              const JournalConfig& config,
                                                              const SegmentHeader& header);

}  // namespace damrak::journal
