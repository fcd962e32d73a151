// Stores messages and sequence numbers of a FIX session in memory: for tests, for sessions that
// reset at each connection, and to measure the cost of storing them in files. New messages
// overwrite the oldest. All memory is allocated at construction. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/session/fix/detail/store.hpp>

namespace damrak::session::fix {

/// How much a store in memory keeps.
struct MemoryStoreSettings {
    std::size_t bytes = std::size_t{1} << 20U;  ///< for all messages together
    std::size_t messages = 4'096;
};

class MemoryStore {
  public:
    explicit MemoryStore(MemoryStoreSettings settings = {}, Timestamp now = {})
        : memory_(settings.bytes), entries_(settings.messages), began_(now) {
        DAMRAK_ASSERT(settings.messages > 0);
    }

    [[nodiscard]] std::span<char> claim(std::size_t maximum) {
        if (maximum > memory_.size()) return {};
        if (memory_.size() - end_ < maximum) {
            // The messages behind are the oldest; they are dropped, and perhaps the first ones in
            // front.
            drop_from(end_, memory_.size());
            end_ = 0;
        }
        drop_from(end_, end_ + maximum);
        return std::span{memory_}.subspan(end_, maximum);
    }

    std::span<const char> commit(std::uint64_t sequence, std::span<const char> message,
                                 const Kept& kept) {
        DAMRAK_ASSERT(sequence >= next_outgoing_);
        const auto begin = static_cast<std::size_t>(message.data() - memory_.data());
        DAMRAK_ASSERT(begin >= end_ && begin + message.size() <= memory_.size());
        if (count_ == entries_.size()) drop_oldest();
        entry(count_++) = {
            .begin = begin, .size = message.size(), .sequence = sequence, .kept = kept};
        end_ = begin + message.size();
        next_outgoing_ = sequence + 1;
        last_position_ = std::max(last_position_, kept.position);
        return message;
    }

    [[nodiscard]] std::optional<Stored> find(std::uint64_t sequence) const {
        std::size_t low = 0;
        for (std::size_t high = count_; low < high;) {
            const std::size_t middle = low + (high - low) / 2;
            if (entry(middle).sequence < sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == count_ || entry(low).sequence != sequence) return std::nullopt;
        const Entry& found = entry(low);
        return Stored{.message = std::span{memory_}.subspan(found.begin, found.size),
                      .sequence = sequence,
                      .kept = found.kept};
    }

    [[nodiscard]] std::uint64_t next_outgoing() const { return next_outgoing_; }
    [[nodiscard]] std::uint64_t next_incoming() const { return next_incoming_; }
    void set_next_outgoing(std::uint64_t sequence, Timestamp /*now*/) {
        // Otherwise messages from there on would be found along with new ones of the same numbers.
        while (count_ > 0 && entry(count_ - 1).sequence >= sequence) --count_;
        next_outgoing_ = sequence;
    }
    void set_next_incoming(std::uint64_t sequence, Timestamp now) {
        if (sequence < next_incoming_) began_ = now;
        next_incoming_ = sequence;
    }
    void take_incoming(std::uint64_t next, std::span<const char> /*message*/, Timestamp now) {
        set_next_incoming(next, now);
    }
    void reset(Timestamp now) {
        first_ = count_ = end_ = 0;
        next_outgoing_ = next_incoming_ = 1;
        began_ = now;
    }
    [[nodiscard]] Timestamp began() const { return began_; }
    [[nodiscard]] EventPosition last_position() const { return last_position_; }
    [[nodiscard]] static std::string trouble() { return {}; }

  private:
    struct Entry {
        std::size_t begin = 0;
        std::size_t size = 0;
        std::uint64_t sequence = 0;
        Kept kept;
    };

    /// Counted from the oldest.
    [[nodiscard]] Entry& entry(std::size_t i) { return entries_[place(i)]; }
    [[nodiscard]] const Entry& entry(std::size_t i) const { return entries_[place(i)]; }
    [[nodiscard]] std::size_t place(std::size_t i) const {
        const std::size_t at = first_ + i;
        return at < entries_.size() ? at : at - entries_.size();
    }
    void drop_oldest() {
        first_ = place(1);
        --count_;
    }
    /// Messages lie in the order of their age, so the oldest are in the way.
    void drop_from(std::size_t begin, std::size_t end) {
        while (count_ > 0 && entry(0).begin < end && entry(0).begin + entry(0).size > begin)
            drop_oldest();
    }

    std::vector<char> memory_;
    std::vector<Entry> entries_;
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::size_t end_ = 0;  ///< end of the newest message
    std::uint64_t next_outgoing_ = 1;
    std::uint64_t next_incoming_ = 1;
    Timestamp began_;
    EventPosition last_position_;
};
static_assert(Store<MemoryStore>);

}  // namespace damrak::session::fix
