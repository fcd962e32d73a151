// Works ahead of the sequencing thread: prepares the next segment, and the next pages of the
// current one. It does not share a thread with the syncer, so that a slow disk delays only the
// syncer.
//
// An agent: a runner drives it on its own thread, or a test steps it. do_work(now) returns the
// amount of work done, zero if none; `now` is in nanoseconds of the calendar. That clock may be
// set: due work may then come early, but not late.
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

    /// After failing to create a segment: the disk may have room by then.
    static constexpr std::int64_t k_retry_ns = 1'000'000'000;

    FileSystem* files_;
    const JournalConfig* config_;
    detail::SegmentChain* chain_;
    detail::Handover* handover_;
    std::int64_t retry_at_ns_ = INT64_MIN;
    std::uint64_t segments_made_ = 0;
    std::uint64_t seen_appended_ = 0;
};

/// The size of the segment after one of this size; zero: of the first.
[[nodiscard]] std::uint64_t next_segment_bytes(const JournalConfig& config, std::uint64_t before);

/// Creates a segment: its header is on disk, under its final name.
[[nodiscard]] Result<detail::SegmentChain::Held> make_segment(FileSystem& files,
                                                              const JournalConfig& config,
                                                              const SegmentHeader& header);

}  // namespace damrak::journal
