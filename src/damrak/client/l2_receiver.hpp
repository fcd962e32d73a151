// The receiving end of the market data feed (docs/protocols/l2-multicast.md), without I/O:
// datagrams in, books out. A book is valid from its first snapshot on. A number that is not the
// next one means that something was lost, of whatever instrument: all books are invalid until their
// next snapshot. Total: any bytes are taken or counted as a fault.
//
// Used by `damrak term`, tests and tools; one thread. A delta costs a search in its side, a
// snapshot its levels; memory is bounded however hostile the feed is.
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

    struct Book {
        std::array<Levels, 2> sides;  ///< best first
        bool valid = false;

        [[nodiscard]] const Levels& side(Side side) const {
            return sides[static_cast<std::size_t>(side)];
        }
    };

    struct Counters {
        std::uint64_t snapshots = 0;
        std::uint64_t deltas = 0;
        std::uint64_t ignored = 0;  ///< deltas of books that were not valid
        std::uint64_t gaps = 0;
        std::uint64_t faults = 0;  ///< datagrams that are no message, or say what cannot be
    };

    /// Most instruments and levels a side that are followed; what is beyond is a fault.
    static constexpr std::size_t k_maximum_instruments = 4'096;
    static constexpr std::size_t k_maximum_levels = 4'096;

    void on_datagram(std::span<const std::byte> datagram);

    /// Null while nothing was heard of it. Look at `valid` before the levels.
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
