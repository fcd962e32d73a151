#include <damrak/journal/writer.hpp>

#include <utility>

namespace damrak::journal {

// Moves to the next segment, if it is ready and usable.
DAMRAK_COLD bool JournalWriter::advance() {
    if (handover_->broken.load()) return false;
    const detail::Region* next = handover_->next_region.load(std::memory_order_acquire);
    if (next == nullptr) {
        if (!std::exchange(stalled_, true)) ++stalls_;
        return false;
    }
    stalled_ = false;
    region_ = *next;
    handover_->next_region.store(nullptr, std::memory_order_release);
    return true;
}

Standing JournalWriter::standing() const {
    if (handover_->broken.load()) return Standing::refused;
    if (region_.next != region_.end || handover_->next_region.load() != nullptr)
        return Standing::ready;
    return handover_->out_of_room.load() ? Standing::refused : Standing::stalled;
}

DAMRAK_COLD void JournalWriter::sync_now(const Record& record, std::uint64_t sequence) {
    const auto offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&record) -
                                                 region_.file->data());
    if (const auto synced = region_.file->sync(offset, k_record_bytes); !synced) {
        handover_->refuse(handover_->broken, synced.error());
        return;
    }
    handover_->synced.store(sequence, std::memory_order_release);
}

}  // namespace damrak::journal
