// Whether a call ends with its auction or continues: the stages of a volatility interruption, and
// the extensions of a scheduled auction.
//
// Called when the end of a call comes; the end itself, which may be random, is drawn outside. No
// allocation, constant time. Sources: T7 Market Model Equities; LSE MIT201.
// docs/rule-book/collars.md has the rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <damrak/auction/detail/durations.hpp>
#include <damrak/auction/equilibrium.hpp>
#include <damrak/auction/price_range.hpp>

namespace damrak::auction {

enum class CallEnd : std::uint8_t {
    auction = 0,   ///< trade at the auction price
    no_price = 1,  ///< nothing can be executed: trading continues without an auction
    extended = 2,  ///< the call continues until its next end
    by_hand = 3,   ///< the call continues until the operator ends it or nothing can be executed
};

/// A call that a breached corridor began. Its corridors become wider from stage to stage.
class VolatilityCall {
  public:
    static constexpr std::size_t k_maximum_stages = 8;

    struct Stage {
        Margin corridor;                 ///< the auction price must be in it
        Timestamp minimum = minutes(2);  ///< before the stage may end
    };
    struct Terms {
        std::array<Stage, k_maximum_stages> stages;
        std::size_t stage_count = 1;
    };

    /// `reference` is the price that the breached corridor is around.
    VolatilityCall(const Terms& terms, Timestamp now, Price reference)
        : terms_(terms), reference_(reference), begun_(now) {}

    /// The stage may end from here on; a random part is added outside.
    [[nodiscard]] Timestamp earliest_end() const { return begun_ + stage().minimum; }
    /// The corridor of the current stage.
    [[nodiscard]] PriceRange corridor() const { return stage().corridor.around(reference_); }

    /// The end of a stage has come.
    CallEnd on_end(Timestamp now, std::optional<Price> price);

  private:
    [[nodiscard]] const Stage& stage() const { return terms_.stages[stage_]; }

    Terms terms_;
    Price reference_;
    Timestamp begun_;
    std::size_t stage_ = 0;
};

/// Extensions of a scheduled auction: for market orders that would not be executed whole, and for a
/// price far from the reference.
class AuctionExtensions {
  public:
    struct Terms {
        int for_market_orders = 1;
        Timestamp market_order_time = minutes(5);
        int for_price = 2;
        Timestamp price_time = minutes(5);
        Margin tolerance;
    };

    explicit AuctionExtensions(const Terms& terms) : terms_(terms) {}

    /// The end of the call has come: the end to which it is extended, or none if it is not.
    std::optional<Timestamp> on_end(Timestamp now, const CallBook& book, const Equilibrium& found,
                                    std::optional<Price> reference);

  private:
    Terms terms_;  // what is left of them
};

}  // namespace damrak::auction
