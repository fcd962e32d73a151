// Works ahead of the sequencing thread: makes the next segment and the next pages of this one
// ready. It does not share a thread with the syncer, so that a slow disk delays the syncer only.
//
// An agent that a runner drives on a thread of its own, or a test steps. do_work(now) returns what
// was done, zero if nothing was; `now` is nanoseconds of the calendar. Its clock may be set: what
// is due by it may then come early, but not late.
#pragma once

#include <cstddef>
#include <cstdint>

#include <damrak/journal/config.hpp>
#include <damrak/journal/detail/handover.hpp>
#include <damrak/journal/detail/segment_chain.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::journal {

class SegmentPreallocator {
  public:
    SegmentPreallocator(FileSystem& files, const JournalConfig& config, detail::SegmentChain& chain,
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

/// The size of the segment behind one of this size; zero: of the first.
[[nodiscard]] std::uint64_t next_segment_bytes(const JournalConfig& config, std::uint64_t before);

/// A new segment whose header is on the disk, under its final name.
[[nodiscard]] Result<detail::SegmentChain::Held> make_segment(FileSystem& files,
                                                              const JournalConfig& config,
                                                              const SegmentHeader& header);

}  // namespace damrak::journal
