// The levels of one side as an array with an entry for every price of the flow. The variants differ
// in how they find the next best price when the best level becomes empty. A policy of the book
// (books/book.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/lab/books/action.hpp>

namespace damrak::lab {

/// Keeps no index: scans level by level for the next price.
class ScannedPrices {
  public:
    explicit ScannedPrices(std::size_t) {}
    void set(std::size_t) {}
    void clear(std::size_t) {}
    /// The highest used price at or below `from`, or -1.
    template <class IsUsed>
    [[nodiscard]] std::ptrdiff_t highest(std::ptrdiff_t from, IsUsed is_used) const {
        while (from >= 0 && !is_used(static_cast<std::size_t>(from))) --from;
        return from;
    }
};

/// One bit per price, searched word by word.
class BitmapPrices {
  public:
    explicit BitmapPrices(std::size_t prices) : words_(prices / 64 + 1) {}
    void set(std::size_t at) { words_[at / 64] |= std::uint64_t{1} << at % 64; }
    void clear(std::size_t at) { words_[at / 64] &= ~(std::uint64_t{1} << at % 64); }
    template <class IsUsed>
    [[nodiscard]] std::ptrdiff_t highest(std::ptrdiff_t from, IsUsed) const {
        if (from < 0) return -1;
        auto word = from / 64;
        std::uint64_t bits =
            words_[static_cast<std::size_t>(word)] & (~std::uint64_t{0} >> (63 - from % 64));
        while (bits == 0) {
            if (--word < 0) return -1;
            bits = words_[static_cast<std::size_t>(word)];
        }
        return word * 64 + 63 - std::countl_zero(bits);
    }

  private:
    std::vector<std::uint64_t> words_;
};

/// Three layers of bitmaps: any of 262,144 prices is found with three look-ups.
class LayeredPrices {
  public:
    explicit LayeredPrices(std::size_t prices) : lowest_(k_fan * k_fan) {
        DAMRAK_ASSERT(prices <= k_fan * k_fan * k_fan);
    }
    void set(std::size_t at) {
        lowest_[at / k_fan] |= bit(at);
        middle_.at(at / k_fan / k_fan) |= bit(at / k_fan);
        top_ |= bit(at / k_fan / k_fan);
    }
    void clear(std::size_t at) {
        lowest_[at / k_fan] &= ~bit(at);
        if (lowest_[at / k_fan] != 0) return;
        at /= k_fan;
        middle_.at(at / k_fan) &= ~bit(at);
        if (middle_.at(at / k_fan) != 0) return;
        top_ &= ~bit(at / k_fan);
    }
    /// All used prices are at or below `from`, so it is not needed.
    template <class IsUsed>
    [[nodiscard]] std::ptrdiff_t highest(std::ptrdiff_t, IsUsed) const {
        if (top_ == 0) return -1;
        const std::size_t first = highest_bit(top_);
        const std::size_t second = first * k_fan + highest_bit(middle_.at(first));
        return static_cast<std::ptrdiff_t>(second * k_fan + highest_bit(lowest_[second]));
    }

  private:
    static constexpr std::size_t k_fan = 64;
    static std::uint64_t bit(std::size_t at) { return std::uint64_t{1} << at % k_fan; }
    static std::size_t highest_bit(std::uint64_t bits) {
        return static_cast<std::size_t>(63 - std::countl_zero(bits));
    }
    std::uint64_t top_ = 0;
    std::array<std::uint64_t, k_fan> middle_{};
    std::vector<std::uint64_t> lowest_;
};

template <class Prices>
struct ArrayLevels {
    /// The levels of a side.
    template <class Queue>
    class Levels {
      public:
        Levels(Side side, const Flow& flow)
            : side_(side),
              lowest_key_(std::min(level_key(side, flow.lowest_price),
                                   level_key(side, flow.highest_price))),
              queues_(static_cast<std::size_t>(flow.highest_price - flow.lowest_price) + 1),
              prices_(queues_.size()) {}

        [[nodiscard]] bool empty() const { return best_ < 0; }
        [[nodiscard]] std::int32_t best_key() const {
            return lowest_key_ + static_cast<std::int32_t>(best_);
        }
        [[nodiscard]] Queue& best() { return queues_[static_cast<std::size_t>(best_)]; }
        /// The level's queue must be empty.
        void drop_best() {
            prices_.clear(static_cast<std::size_t>(best_));
            best_ =
                prices_.highest(best_ - 1, [this](std::size_t at) { return !queues_[at].empty(); });
        }
        [[nodiscard]] Queue& at(std::int32_t price) {
            const std::size_t place = place_of(price);
            prices_.set(place);
            best_ = std::max(best_, static_cast<std::ptrdiff_t>(place));
            return queues_[place];
        }
        void drop(std::int32_t price) {
            const std::size_t place = place_of(price);
            if (static_cast<std::ptrdiff_t>(place) == best_) return drop_best();
            prices_.clear(place);
        }

      private:
        [[nodiscard]] std::size_t place_of(std::int32_t price) const {
            return static_cast<std::size_t>(level_key(side_, price) - lowest_key_);
        }
        Side side_;
        std::int32_t lowest_key_;
        std::ptrdiff_t best_ = -1;
        std::vector<Queue> queues_;
        Prices prices_;
    };
};

using PriceArray = ArrayLevels<ScannedPrices>;
using PriceArrayBitmap = ArrayLevels<BitmapPrices>;
using PriceArrayLayers = ArrayLevels<LayeredPrices>;

}  // namespace damrak::lab
