// The messages sent to one OUCH user in a session, numbered from 1 and stored completely, so that a
// client can request any of them again. Each is preceded by its length in two bytes. The time stamp
// of a stored message counts from the epoch; the sender converts it to the time of day.
//
// Part of a gateway's state, one thread. Appending costs a copy, and one allocation per 64 KiB;
// finding a message costs a binary search and a walk within a piece of that size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>

namespace damrak::session::ouch {

/// The messages of a user's day, each preceded by its length.
class MessageStream {
  public:
    /// The length before a message.
    static constexpr std::size_t k_header = 2;

    /// The number of the next message.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    [[nodiscard]] bool empty() const { return next_ == 1; }
    /// Memory that the messages take.
    [[nodiscard]] std::uint64_t bytes() const {
        if (pieces_.empty()) return 0;
        return (pieces_.size() - 1) * k_piece_bytes + pieces_.back().capacity;
    }

    /// Returns how much more memory the messages take; most often none.
    std::uint64_t append(std::span<const std::byte> message) {
        const std::size_t size = k_header + message.size();
        const bool grows = pieces_.empty() || k_piece_bytes - pieces_.back().used < size;
        if (grows) pieces_.push_back(Piece{.first = next_});
        Piece& piece = pieces_.back();
        std::byte* const to = piece.bytes.get() + piece.used;
        store_be(to, static_cast<std::uint16_t>(message.size()));
        std::memcpy(to + k_header, message.data(), message.size());
        piece.used += static_cast<std::uint32_t>(size);
        ++next_;
        return grows ? k_piece_bytes : 0;
    }
    /// No message follows: gives back the memory that none takes.
    void finish() {
        if (pieces_.empty()) return;
        Piece& last = pieces_.back();
        Piece fitting{.first = last.first, .used = last.used, .capacity = last.used};
        std::memcpy(fitting.bytes.get(), last.bytes.get(), last.used);
        last = std::move(fitting);
    }

    /// Position and number of the next message to read.
    struct Place {
        std::uint64_t number = 1;
        std::size_t piece = 0;
        std::size_t offset = 0;
    };
    /// The place of a number from 1 to next().
    [[nodiscard]] Place place_of(std::uint64_t number) const {
        DAMRAK_ASSERT(number >= 1 && number <= next_);
        if (pieces_.empty()) return {};
        const auto behind = std::ranges::upper_bound(pieces_, number, {}, &Piece::first);
        const auto at = static_cast<std::size_t>(behind - pieces_.begin()) - 1;
        Place place{.number = pieces_[at].first, .piece = at};
        while (place.number < number) skip(place);
        return place;
    }
    /// The message there, with its length; empty at the end.
    [[nodiscard]] std::span<const std::byte> at(const Place& place) const {
        if (place.number == next_) return {};
        // The piece may have been the last and full when the place was determined; it may have a
        // successor now.
        const bool turn = place.offset == pieces_[place.piece].used;
        const Piece& piece = pieces_[turn ? place.piece + 1 : place.piece];
        const std::byte* const from = piece.bytes.get() + (turn ? 0 : place.offset);
        return {from, k_header + load_be<std::uint16_t>(from)};
    }
    /// Moves to the next message; there must be one at the place.
    void skip(Place& place) const {
        if (place.offset == pieces_[place.piece].used) place = {place.number, place.piece + 1, 0};
        place.offset += at(place).size();
        ++place.number;
    }

    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.value(self.next_);
        auto pieces = static_cast<std::uint64_t>(self.pieces_.size());
        archive.count(pieces, k_most_pieces);
        for (std::uint64_t i = 0; i < pieces; ++i) {
            if constexpr (!std::is_const_v<Self>) {
                if (i >= self.pieces_.size()) self.pieces_.emplace_back();
            }
            auto& piece = self.pieces_[i];
            archive.value(piece.first);
            archive.count(piece.used, k_piece_bytes);
            archive.values(piece.bytes.get(), piece.used);
        }
    }

  private:
    static constexpr std::uint32_t k_piece_bytes = 65'536;
    struct Piece {
        std::uint64_t first = 1;  ///< number of its first message
        std::uint32_t used = 0;
        std::uint32_t capacity = k_piece_bytes;
        std::unique_ptr<std::byte[]> bytes = std::make_unique_for_overwrite<std::byte[]>(capacity);
    };
    /// A terabyte: a larger number is not valid.
    static constexpr std::uint64_t k_most_pieces = std::uint64_t{1} << 24U;

    std::vector<Piece> pieces_;
    std::uint64_t next_ = 1;
};

}  // namespace damrak::session::ouch
