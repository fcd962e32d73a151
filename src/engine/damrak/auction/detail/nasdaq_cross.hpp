// What Nasdaq publishes while it collects orders for a cross, and the limits of the result.
//
// Called for each imbalance message, and when a cross is due. No allocation. Sources: Nasdaq Equity
// 4, 4752 and 4754; Net Order Imbalance Indicator of TotalView-ITCH 5.0; Nasdaq's questions and
// answers on its crosses. docs/rule-book/call-auctions.md has the rules.
#pragma once

#include <optional>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/auction/price_range.hpp>

namespace damrak::auction {

/// The greater of 10 % and 0.50, in units of 0.0001.
inline constexpr Margin k_nasdaq_margin{.basis_points = 1'000, .at_least{5'000}};

/// Prices at which a cross may take place: the margin of the midpoint beyond bid and offer.
[[nodiscard]] constexpr PriceRange cross_threshold(Price best_bid, Price best_offer,
                                                   const Margin& margin) {
    const Price amount = margin.of({best_bid, best_offer});
    return {best_bid - amount, best_offer + amount};
}

/// Prices that the opening cross is compared with, one after the other.
struct OpeningBenchmarks {
    std::optional<Price> last_close{};
    std::optional<Price> last_trade{};  ///< since 9:15
    std::optional<Price> best_bid{};
    std::optional<Price> best_offer{};
};

/// Whether the opening cross may take place: its price is within the margin of one benchmark. Of
/// bid and offer, the one on the side of the last close is a benchmark.
[[nodiscard]] bool opening_is_valid(Price price, const OpeningBenchmarks& benchmarks,
                                    const Margin& margin);

/// The Net Order Imbalance Indicator. Prices are none where they cannot be determined.
struct ImbalanceIndicator {
    std::optional<Price> current_reference{};
    Quantity paired{};            ///< executable at the current reference
    Quantity imbalance{};         ///< not paired at it, without sign
    char direction = 'O';         ///< B buy, S sell, N none, O no price
    std::optional<Price> far{};   ///< at which the orders for the cross alone would clear
    std::optional<Price> near{};  ///< at which they and the continuous book would clear
    char variation = ' ';  ///< of near from the current reference: L, 1 to 9, A, B, C, or space
    friend constexpr bool operator==(const ImbalanceIndicator&,
                                     const ImbalanceIndicator&) = default;
};

/// `cross_only` has the orders for the cross, `all` also those of continuous trading. The terms are
/// those of the cross itself, with the midpoint of `inside`, the best bid and offer.
[[nodiscard]] ImbalanceIndicator imbalance_indicator(const CallBook& cross_only,
                                                     const CallBook& all, const PriceTerms& terms,
                                                     PriceRange inside);

/// Before the full indicator is due, neither far nor near price is published.
[[nodiscard]] ImbalanceIndicator abbreviated(ImbalanceIndicator full);

/// How far the near price is from the reference, in the code of the imbalance message.
[[nodiscard]] char price_variation(std::optional<Price> near, std::optional<Price> reference);

}  // namespace damrak::auction
