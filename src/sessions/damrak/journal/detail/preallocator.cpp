#include <damrak/journal/detail/preallocator.hpp>

#include <algorithm>
#include <utility>

#include <damrak/base/helper_pacing.hpp>
#include <damrak/journal/detail/is_due.hpp>
#include <damrak/journal/segment.hpp>

namespace damrak::journal {

using detail::is_due;
using detail::MappedSegment;
using detail::SegmentChain;

std::uint64_t next_segment_bytes(const JournalConfig& config, std::uint64_t before) {
    constexpr std::uint64_t k_growth = 4;
    return std::min(config.segment_bytes,
                    before == 0 ? config.first_segment_bytes : k_growth * before);
}

Result<SegmentChain::Held> make_segment(FileSystem& files, const JournalConfig& config,
                                        const SegmentHeader& header) {
    const auto path = config.directory / segment_name(header.first_sequence);
    auto unfinished = path;
    unfinished += k_unfinished_suffix;
    auto file = files.create_mapped(unfinished, header.segment_bytes);
    if (!file) return std::unexpected{file.error()};
    write_header({(*file)->data(), (*file)->size()}, header);
    auto done = (*file)->sync(0, k_header_bytes);
    if (done) done = files.rename(unfinished, path);
    if (!done) {
        // If removal fails, the next start removes the file.
        static_cast<void>(files.remove(unfinished));
        return std::unexpected{done.error()};
    }
    auto segment = std::make_shared<MappedSegment>();
    segment->where = {.path = path, .header = header};
    segment->file = std::move(*file);
    std::byte* data = segment->file->data();
    segment->region = {.next = data + k_header_bytes,
                       .end = data + k_header_bytes + header.capacity() * k_record_bytes,
                       .file = segment->file.get()};
    return segment;
}

std::size_t SegmentPreallocator::do_work(std::int64_t now_ns) {
    keep_writable();
    std::size_t work = prefault_ahead() ? 1 : 0;
    if (handover_->next_region.load(std::memory_order_acquire) == nullptr &&
        is_due(now_ns, retry_at_ns_, k_retry_ns))
        work += prepare_next(now_ns) ? 1U : 0U;
    return work;
}

void SegmentPreallocator::prefault(MappedSegment& segment, std::size_t from, std::size_t to) {
    constexpr std::size_t k_piece_bytes = 32 * k_page_bytes;
    while (from < to) {
        const std::size_t length = std::min(k_piece_bytes, to - from);
        segment.file->prefault(from, length);
        from += length;
        segment.prefaulted_to = from;
        if (from < to) pause_helper();
    }
}

bool SegmentPreallocator::prepare_next(std::int64_t now_ns) {
    const auto newest = chain_->newest();
    const SegmentHeader& before = newest->where.header;
    auto segment =
        make_segment(*files_, *config_,
                     {.identity = before.identity,
                      .segment_bytes = next_segment_bytes(*config_, before.segment_bytes),
                      .number = before.number + 1,
                      .first_sequence = before.last_sequence() + 1,
                      .created = Timestamp{now_ns}});
    if (!segment) {
        retry_at_ns_ = now_ns + k_retry_ns;
        handover_->refuse(handover_->out_of_room, segment.error());
        return false;
    }
    MappedSegment& made = **segment;
    prefault(made, 0, std::min<std::size_t>(config_->prefault_bytes, made.file->size()));
    ++segments_made_;
    chain_->add(*segment);
    if (handover_->out_of_room.load()) handover_->relieve();
    handover_->next_region.store(&made.region, std::memory_order_release);
    return true;
}

// The system writes prepared pages back at any time and makes them read-only for that. The next
// thread that stores there waits in the kernel for the holder of a file system lock. That must not
// be the sequencing thread, so the pages that it may need within the next turns are made writable
// again; not all of them, or the pages of a quiet exchange would be rewritten again and again.
void SegmentPreallocator::keep_writable() {
    constexpr std::size_t k_least_bytes = 16 * k_page_bytes;
    constexpr std::size_t k_turns = 3;
    const std::uint64_t appended = handover_->appended.load(std::memory_order_acquire);
    const std::uint64_t since = appended - std::exchange(seen_appended_, appended);
    const std::size_t wanted = k_least_bytes + k_turns * since * k_record_bytes;
    const auto segment = chain_->find(appended + 1);
    if (segment == nullptr) return;
    const std::size_t from = segment->offset_of(appended + 1);
    const std::size_t to = std::min(from + wanted, segment->prefaulted_to);
    if (from < to) segment->file->prefault(from, to - from);
    if (to < segment->file->size()) return;
    if (const auto next = chain_->find(segment->last_sequence() + 1); next != nullptr)
        next->file->prefault(0, std::min(wanted, next->prefaulted_to));
}

bool SegmentPreallocator::prefault_ahead() {
    const auto segment = chain_->find(handover_->appended.load(std::memory_order_acquire) + 1);
    if (segment == nullptr) return false;
    const std::size_t offset =
        segment->offset_of(handover_->appended.load(std::memory_order_acquire) + 1);
    const std::size_t wanted =
        std::min<std::size_t>(offset + config_->prefault_bytes, segment->file->size());
    // In quarters, so that one call covers many pages.
    const bool worth_a_call = wanted >= segment->prefaulted_to + config_->prefault_bytes / 4 ||
                              wanted == segment->file->size();
    if (wanted <= segment->prefaulted_to || !worth_a_call) return false;
    prefault(*segment, std::max(segment->prefaulted_to, offset), wanted);
    return true;
}

}  // namespace damrak::journal
