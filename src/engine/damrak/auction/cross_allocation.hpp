// Who trades in a cross, how much, and with whom.
//
// Called when a call ends, once the price is known, for each side. Where only the orders at the
// marginal price are rationed, the caller may pass these alone. No allocation, linear time.
// docs/rule-book/call-auctions.md has the rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <damrak/domain/measures.hpp>

namespace damrak::auction {

/// Which orders have the same priority, and share pro rata if they cannot be filled whole.
enum class CrossRule : std::uint8_t {
    price_time = 0,  ///< none
    pro_rata = 1,    ///< those with the same limit
    batch = 2,       ///< those with the same limit that came in the same batch
};

/// An order that may trade at the auction price.
struct CrossOrder {
    Quantity quantity;             ///< above zero
    std::optional<Price> limit{};  ///< none: a market order
    std::uint64_t batch = 0;
};

/// Replaces the quantities of orders by what each gets of a share, which is less than their sum: in
/// proportion, rounded down to lots, then a lot each to the earliest.
void ration(Quantity share, Quantity lot, std::span<Quantity> quantities);

/// Writes what each order trades, and returns the sum: all orders, or `executable`. Orders are in
/// order of priority: market orders, then the better limit, then the earlier. All quantities are
/// multiples of the lot.
Quantity allocate_cross(CrossRule rule, Quantity executable, Quantity lot,
                        std::span<const CrossOrder> orders, std::span<Quantity> fills);

/// A trade of a cross between two orders.
struct CrossTrade {
    std::size_t buy;  ///< index of the order
    std::size_t sell;
    Quantity quantity;
    friend constexpr bool operator==(const CrossTrade&, const CrossTrade&) = default;
};

/// The trades of a cross: first buyer with first seller, and so on, so that two orders have at most
/// one trade. Gives one trade a call, and may be left and resumed between them.
class CrossTrades {
  public:
    /// What the buyers and the sellers trade; the sums are equal.
    CrossTrades(std::span<const Quantity> buys, std::span<const Quantity> sells)
        : buys_(buys), sells_(sells) {}

    /// The next trade; nothing after the last one.
    std::optional<CrossTrade> next();

  private:
    std::span<const Quantity> buys_;
    std::span<const Quantity> sells_;
    std::size_t buy_ = 0;
    std::size_t sell_ = 0;
    Quantity bought_{};  // of the current buyer, in trades before
    Quantity sold_{};
};

}  // namespace damrak::auction
