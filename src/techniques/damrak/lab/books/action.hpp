// Input and output of a book of the laboratory: the actions of one instrument, its trades, and a
// tape that summarises the trades of a run, so that two runs can be compared.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::lab {

enum class Kind : std::uint8_t {
    limit,   ///< trades what it can, the rest rests
    ioc,     ///< the rest is cancelled
    market,  ///< at any price, the rest is cancelled
    cancel,
    replace  ///< removes the order, if it is still there, and enters it again at the back
};
inline constexpr std::size_t k_entering_kinds = 3;

struct Action {
    std::uint64_t id = 0;  ///< of an entering order: unique, from 1
    std::int32_t price = 0;
    std::uint32_t quantity = 0;  ///< positive, except for a cancel
    Kind kind = Kind::limit;
    Side side = Side::buy;  ///< unused for cancel and replace
};

/// Prices mapped so that the best of a side is its largest: bids unchanged, asks negative.
[[nodiscard]] constexpr std::int32_t level_key(Side side, std::int32_t price) {
    return side == Side::buy ? price : -price;
}

/// A trade of a laboratory book.
struct Trade {
    std::uint64_t taker = 0;
    std::uint64_t maker = 0;
    std::int32_t price = 0;
    std::uint32_t quantity = 0;

    friend bool operator==(const Trade&, const Trade&) = default;
};

/// Counts trades and combines them into a hash that depends on their order. Costs a multiplication
/// per trade, the same for each book.
class Tape {
  public:
    void write(const Trade& trade) {
        ++trades_;
        fold(trade.taker);
        fold(trade.maker);
        fold(std::uint64_t{trade.quantity} << 32U | static_cast<std::uint32_t>(trade.price));
    }
    [[nodiscard]] std::uint64_t trades() const { return trades_; }
    [[nodiscard]] std::uint64_t digest() const { return digest_; }

    friend bool operator==(const Tape&, const Tape&) = default;

  private:
    void fold(std::uint64_t word) { digest_ = (digest_ ^ word) * 0x100000001b3ULL; }

    std::uint64_t trades_ = 0;
    std::uint64_t digest_ = 0xcbf29ce484222325ULL;
};

/// Actions, and limits that books may use for their set-up.
struct Flow {
    std::vector<Action> opening;  ///< fills the book before the clock starts
    std::vector<Action> actions;  ///< these are measured
    std::int32_t lowest_price = 0;
    std::int32_t highest_price = 0;
    std::uint64_t highest_id = 0;
    std::uint32_t most_orders = 0;  ///< most orders that rest at a time

    /// Computes the four limits from the actions.
    void survey();
};

/// NW-1 for one instrument (sim/order_flow.hpp): mostly adds and cancels near the touch.
[[nodiscard]] Flow neutral_flow(std::int64_t messages, std::int64_t live_orders,
                                std::uint64_t seed);

}  // namespace damrak::lab
