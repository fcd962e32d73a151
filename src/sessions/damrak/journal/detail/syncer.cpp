#include <damrak/journal/detail/syncer.hpp>

#include <algorithm>

#include <damrak/base/helper_pacing.hpp>
#include <damrak/journal/detail/is_due.hpp>
#include <damrak/journal/segment.hpp>

namespace damrak::journal {

using detail::is_due;
using detail::MappedSegment;

namespace {

// The kernel does not release the core during this call, so start the sync in pieces and let other
// threads run in between.
void begin_sync(MappedFile& file, std::size_t from, std::size_t to) {
    constexpr std::size_t k_piece_bytes = 64 * k_page_bytes;
    while (from < to) {
        const std::size_t length = std::min(k_piece_bytes, to - from);
        file.begin_sync(from, length);
        from += length;
        if (from < to) pause_helper();
    }
}

}  // namespace

std::size_t JournalSyncer::do_work(std::int64_t now_ns) {
    if (handover_->broken.load()) return 0;
    std::size_t work = 0;
    if (config_->durability != Durability::async ||
        is_due(now_ns, next_sync_ns_, config_->sync_interval_ns)) {
        work += sync_appended(before_the_last_page());
        next_sync_ns_ = now_ns + config_->sync_interval_ns;
    }
    work += release_done();
    if (is_due(now_ns, next_mark_ns_, k_mark_interval_ns)) {
        next_mark_ns_ = now_ns + k_mark_interval_ns;
        const auto segment = chain_->find(handover_->synced.load());
        if (segment != nullptr) work += sync_mark(*segment) ? 1U : 0U;
    }
    return work;
}

void JournalSyncer::on_close() {
    if (handover_->broken.load()) return;
    static_cast<void>(sync_appended(handover_->appended.load()));
    static_cast<void>(release_done());
    if (const auto segment = chain_->find(handover_->synced.load()); segment != nullptr)
        static_cast<void>(sync_mark(*segment));
}

// How far to sync. The kernel makes pages read-only while it writes them, and the next record goes
// into the last one. With `async` nobody waits for the sync, so it leaves that page for later if
// there are others.
std::uint64_t JournalSyncer::before_the_last_page() const {
    const std::uint64_t appended = handover_->appended.load(std::memory_order_acquire);
    if (config_->durability != Durability::async) return appended;
    const auto segment = chain_->find(appended);
    if (segment == nullptr) return appended;
    const std::size_t page = segment->offset_of(appended + 1) / k_page_bytes * k_page_bytes;
    if (page <= k_header_bytes) return appended;
    const std::uint64_t before =
        segment->where.header.first_sequence + (page - k_header_bytes) / k_record_bytes - 1;
    return before > handover_->synced.load(std::memory_order_relaxed) ? before : appended;
}

std::size_t JournalSyncer::sync_appended(std::uint64_t up_to) {
    std::uint64_t synced = handover_->synced.load(std::memory_order_relaxed);
    std::size_t work = 0;
    if (config_->durability == Durability::sync) {
        if (const auto segment = chain_->find(synced); segment != nullptr) mark(*segment, synced);
        return 0;
    }
    while (synced < up_to) {
        const auto segment = chain_->find(synced + 1);
        const std::uint64_t last = std::min(up_to, segment->last_sequence());
        if (!sync(*segment, synced + 1, last)) break;
        const auto before = chain_->find(segment->where.header.first_sequence - 1);
        if (before != nullptr && !seal(*before, last)) break;
        mark(*segment, last);
        handover_->synced.store(last, std::memory_order_release);
        synced = last;
        ++work;
    }
    return work;
}

bool JournalSyncer::sync(MappedSegment& segment, std::uint64_t first, std::uint64_t last) {
    const std::size_t from = segment.offset_of(first);
    const std::size_t to = segment.offset_of(last) + k_record_bytes;
    if (config_->durability == Durability::async) begin_sync(*segment.file, from, to);
    if (const auto synced = segment.file->sync(from, to - from); !synced) {
        // After a failed sync the state of the disk is unknown, so there is no retry.
        handover_->refuse(handover_->broken, synced.error());
        return false;
    }
    // The kernel has made these pages read-only to detect changes; the next record goes into the
    // last one.
    constexpr std::size_t k_pages_ahead = 4;
    if (last < segment.last_sequence()) segment.file->prefault(to, k_pages_ahead * k_page_bytes);
    return true;
}

void JournalSyncer::mark(MappedSegment& segment, std::uint64_t sequence) {
    if (segment.marked == sequence) return;
    write_mark({segment.file->data(), segment.file->size()}, sequence);
    segment.marked = sequence;
}

// Marks a full segment as followed by synced records before anyone relies on them: a start without
// the following segments then detects which records are missing.
bool JournalSyncer::seal(MappedSegment& segment, std::uint64_t synced) {
    if (segment.marked > segment.last_sequence()) return true;
    mark(segment, synced);
    if (const auto done = segment.file->sync(0, k_header_bytes); !done) {
        handover_->refuse(handover_->broken, done.error());
        return false;
    }
    return true;
}

bool JournalSyncer::sync_mark(MappedSegment& segment) {
    if (segment.marked == 0 || segment.marked == mark_on_disk_) return false;
    if (const auto synced = segment.file->sync(0, k_header_bytes); !synced) {
        handover_->refuse(handover_->broken, synced.error());
        return false;
    }
    mark_on_disk_ = segment.marked;
    return true;
}

// Unmaps full segments once a later record is on disk.
std::size_t JournalSyncer::release_done() {
    const std::uint64_t synced = handover_->synced.load();
    std::size_t released = 0;
    for (auto segment = chain_->oldest(); segment->last_sequence() < synced;
         segment = chain_->oldest()) {
        if (!seal(*segment, synced)) break;
        chain_->drop_oldest();
        ++released;
    }
    return released;
}

}  // namespace damrak::journal
