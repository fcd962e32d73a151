// Works behind the sequencing thread: brings to the disk what was appended, marks how far that is,
// and releases segments that are done.
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

namespace damrak::journal {

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

}  // namespace damrak::journal
