// Works behind the sequencing thread: writes appended records to disk, marks how far that is, and
// releases finished segments.
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

namespace damrak::journal {

class JournalSyncer {
  public:
    JournalSyncer(const JournalConfig& config, detail::SegmentChain& chain,
                  detail::Handover& handover)
        : config_(&config), chain_(&chain), handover_(&handover) {}

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    /// On return everything is on disk and marked, unless the disk failed. The sequencing thread
    /// must have stopped appending.
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

    /// Interval at which the mark itself is written to disk: a sync of one page.
    static constexpr std::int64_t k_mark_interval_ns = 1'000'000'000;

    const JournalConfig* config_;
    detail::SegmentChain* chain_;
    detail::Handover* handover_;
    std::int64_t next_sync_ns_ = INT64_MIN;
    std::int64_t next_mark_ns_ = INT64_MIN;
    std::uint64_t mark_on_disk_ = 0;
};

}  // namespace damrak::journal
