// The receiver of the market data feed (docs/protocols/l2-multicast.md), without I/O: datagrams in,
// books out. A book is valid from its first snapshot on. A sequence gap means that a message of
// some instrument was lost: all books are invalid until their next snapshot. Any input is safe:
// bytes are applied or counted as a fault.
//
// Used by `damrak term`, tests and tools; one thread. A delta costs a search in its side, a
// snapshot its levels. Memory is bounded even for a hostile feed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <damrak/wire/binary/market_data.hpp>

namespace damrak::client {

class L2Receiver {
  public:
    using Levels = std::vector<wire::binary::FeedLevel>;

    /// The levels and the state of one instrument.
    struct Book {
        std::array<Levels, 2> sides;  ///< best first
        bool valid = false;
        wire::binary::FeedState state{};  ///< as of the last snapshot

        [[nodiscard]] const Levels& side(Side side) const {
            return sides[static_cast<std::size_t>(side)];
        }
    };

    /// What the receiver has seen so far.
    struct Counters {
        std::uint64_t snapshots = 0;
        std::uint64_t deltas = 0;
        std::uint64_t ignored = 0;  ///< deltas for invalid books
        std::uint64_t gaps = 0;
        std::uint64_t faults = 0;  ///< datagrams that are malformed or contradict the book
    };

    /// Limits of instruments and levels per side; excess ones are faults.
    static constexpr std::size_t k_maximum_instruments = 4'096;
    static constexpr std::size_t k_maximum_levels = 4'096;

    void on_datagram(std::span<const std::byte> datagram);

    /// Null before its first message. Check `valid` before using the levels.
    [[nodiscard]] const Book* book(InstrumentId id) const {
        const auto found = books_.find(id);
        return found == books_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::map<InstrumentId, Book>& books() const { return books_; }
    [[nodiscard]] const Counters& counters() const { return counters_; }

  private:
    void take(Book& book, const wire::binary::FeedSnapshot& snapshot);
    void take(Book& book, const wire::binary::FeedDelta& delta);
    void invalidate_all();

    std::map<InstrumentId, Book> books_;
    std::optional<std::uint64_t> next_sequence_;
    Counters counters_;
};

}  // namespace damrak::client
