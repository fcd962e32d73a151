// The mapped segments of a running journal, from the oldest that is not yet on disk to the newest
// prepared one. The preallocator adds at the end and the syncer removes at the front, under a lock
// that the sequencing thread never takes.
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include <damrak/journal/detail/handover.hpp>
#include <damrak/journal/folder.hpp>

namespace damrak::journal::detail {

struct MappedSegment {
    SegmentFile where;
    std::unique_ptr<MappedFile> file;
    Region region;                  ///< what the sequencing thread takes over
    std::size_t prefaulted_to = 0;  ///< for the preallocator
    std::uint64_t marked = 0;       ///< for the syncer: the newest mark in the header page

    [[nodiscard]] std::uint64_t last_sequence() const { return where.header.last_sequence(); }
    [[nodiscard]] bool holds(std::uint64_t sequence) const {
        return sequence >= where.header.first_sequence && sequence <= last_sequence();
    }
    [[nodiscard]] std::size_t offset_of(std::uint64_t sequence) const {
        return journal::offset_of(where.header, sequence);
    }
};

class SegmentChain {
  public:
    using Held = std::shared_ptr<MappedSegment>;

    void add(Held segment) {
        const std::scoped_lock lock{mutex_};
        segments_.push_back(std::move(segment));
    }
    void drop_oldest() {
        const std::scoped_lock lock{mutex_};
        segments_.pop_front();
    }
    [[nodiscard]] Held oldest() const {
        const std::scoped_lock lock{mutex_};
        return segments_.front();
    }
    [[nodiscard]] Held newest() const {
        const std::scoped_lock lock{mutex_};
        return segments_.back();
    }
    /// The segment that has, or will have, this record; null if none.
    [[nodiscard]] Held find(std::uint64_t sequence) const {
        const std::scoped_lock lock{mutex_};
        for (const Held& segment : segments_)
            if (segment->holds(sequence)) return segment;
        return nullptr;
    }

  private:
    mutable std::mutex mutex_;
    std::deque<Held> segments_;
};

}  // namespace damrak::journal::detail
