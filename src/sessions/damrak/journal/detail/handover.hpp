// Shared state of the sequencing thread and the journal's helpers. Normally only one side writes
// each cache line; the texts behind the lock are used only after a failure.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include <damrak/journal/file_system.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::journal::detail {

/// The part of a segment for records from the next one on.
struct Region {
    std::byte* next = nullptr;
    std::byte* end = nullptr;
    MappedFile* file = nullptr;
};

class Handover {
  public:
    /// Written by the sequencing thread.
    alignas(64) std::atomic<std::uint64_t> appended{0};
    /// Written by the syncing thread.
    alignas(64) std::atomic<std::uint64_t> synced{0};
    std::atomic<bool> broken{false};       ///< no more records can be appended
    std::atomic<bool> out_of_room{false};  ///< no next segment could be created so far
    /// Set by the preallocator; the sequencing thread takes it and sets null.
    alignas(64) std::atomic<Region*> next_region{nullptr};

    void refuse(std::atomic<bool>& how, std::string why) {
        const std::scoped_lock lock{mutex_};
        if (!broken.load()) why_ = std::move(why);
        how.store(true);
    }
    /// Clears the error when the disk has space again.
    void relieve() {
        const std::scoped_lock lock{mutex_};
        out_of_room.store(false);
        if (!broken.load()) why_.clear();
    }
    [[nodiscard]] std::string why() const {
        const std::scoped_lock lock{mutex_};
        return why_;
    }

  private:
    mutable std::mutex mutex_;
    std::string why_;
};

}  // namespace damrak::journal::detail
