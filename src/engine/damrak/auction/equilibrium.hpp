// The price of a call auction by the rules of Xetra, Euronext, LSE, Nasdaq, or a frequent batch.
//
// Called for the indicative price while a call runs, and for the auction price when it ends: the
// same function, so that the last indicative price is the auction price. No allocation; time grows
// with the number of levels. Sources: T7 Market Model Equities; Euronext Trading Manual; LSE
// MIT201; Nasdaq Equity 4, 4752 and 4754; Budish, Cramton and Shim (2015).
// docs/rule-book/call-auctions.md has the rules.
#pragma once

#include <optional>

#include <damrak/auction/curves.hpp>
#include <damrak/auction/price_range.hpp>
#include <damrak/auction/tick_table.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::auction {

using PriceRule = AuctionRule;

inline constexpr TickTable k_every_price{Price{1}};
/// How a venue determines the price. Limits in the book are valid in the tick table.
struct PriceTerms {
    PriceRule rule = PriceRule::xetra;
    /// Nasdaq: the middle of the best bid and offer; others: usually the last traded price.
    std::optional<Midpoint> reference{};
    const TickTable* ticks = &k_every_price;
    /// Which of two prices, where nothing else decides between them.
    bool prefer_higher = true;
    /// A result outside is replaced by the best price inside (Nasdaq's threshold).
    PriceRange threshold = k_any_price;
};

/// The outcome of a call, or what it would be if the call ended now.
struct Equilibrium {
    std::optional<Price> price{};  ///< none: nothing can be executed
    Quantity executable{};
    Quantity surplus{};  ///< signed as in CurvePoint

    /// The side that is left over, if any is.
    [[nodiscard]] constexpr std::optional<Side> surplus_side() const {
        if (surplus.value == 0) return std::nullopt;
        return surplus.value > 0 ? Side::buy : Side::sell;
    }
    friend constexpr bool operator==(const Equilibrium&, const Equilibrium&) = default;
};

[[nodiscard]] Equilibrium equilibrium(const CallBook& book, const PriceTerms& terms);

/// The same with no price outside a range considered; the threshold of the terms is not.
[[nodiscard]] Equilibrium equilibrium_within(const CallBook& book, const PriceTerms& terms,
                                             PriceRange range);

}  // namespace damrak::auction
