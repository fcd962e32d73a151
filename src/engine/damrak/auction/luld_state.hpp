// Limit up, limit down: limit state, straddle state, trading pause and reopening of one stock.
//
// Called with the best bid and offer when they or the bands change, by the operator, and when it
// says that something is due. No allocation, constant time. Source: LULD plan, sections VI and VII;
// Nasdaq Equity 4, 4120 and 4754(b)(6). docs/rule-book/limit-up-limit-down.md has the rules.
#pragma once

#include <cstdint>
#include <optional>

#include <damrak/auction/detail/durations.hpp>
#include <damrak/auction/price_range.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::auction {

enum class LuldPhase : std::uint8_t {
    normal = 0,
    limit = 1,        ///< a quote stands at the band that stops it
    straddle = 2,     ///< a best price is outside the bands
    paused = 3,       ///< a call, to be ended by a reopening auction
    reopening = 4,    ///< the pause is over, the auction is due
    until_close = 5,  ///< a call that the closing auction ends
};

/// The best prices of the market; none: nobody quotes.
struct BestQuotes {
    std::optional<Price> bid{};
    std::optional<Price> offer{};
};

class LuldState {
  public:
    /// How long the states last.
    struct Terms {
        Timestamp limit_state = seconds(15);
        Timestamp pause = minutes(5);
        /// A pause that lasts until here is ended by the closing auction.
        Timestamp closing_before_close = minutes(10);
    };

    LuldState(const Terms& terms, Timestamp close) : terms_(terms), close_(close) {}

    /// Nothing changes during a pause.
    void on_quotes(Timestamp now, const BestQuotes& quotes, PriceRange bands);
    void on_time(Timestamp now);
    /// By the operator, from a straddle state; also what the end of the limit state does.
    void pause(Timestamp now);
    /// The reopening auction found no price within its collar.
    void extend(Timestamp now) { pause(now); }
    /// The reopening auction took place.
    void resume() { set(LuldPhase::normal, std::nullopt); }

    [[nodiscard]] LuldPhase phase() const { return phase_; }
    /// When the phase ends by itself.
    [[nodiscard]] std::optional<Timestamp> due() const { return due_; }
    /// Of a limit state, and of the pause that came of it: the side whose quotes stand at the band.
    [[nodiscard]] std::optional<Side> limit_side() const { return limit_side_; }
    /// Whether reference price and bands stay as they are.
    [[nodiscard]] bool bands_stay() const {
        return phase_ != LuldPhase::normal && phase_ != LuldPhase::straddle;
    }

  private:
    void set(LuldPhase phase, std::optional<Timestamp> due) {
        phase_ = phase;
        due_ = due;
    }

    Terms terms_;
    Timestamp close_;
    LuldPhase phase_ = LuldPhase::normal;
    std::optional<Timestamp> due_;
    std::optional<Side> limit_side_;
};

/// Where a reopening auction may take place, and how this widens while it finds no price there.
class ReopeningCollar {
  public:
    /// The width of the collar of a reopening.
    struct Terms {
        std::int64_t basis_points = 500;
        Price low_price{30'000};  ///< up to this reference price …
        Price low_amount{1'500};  ///< … the collar is this wide
        Price tick{100};
    };

    /// `limit_side` is that of the limit state: buyers at the upper band, sellers at the lower one,
    /// none if the pause came of a straddle state.
    ReopeningCollar(const Terms& terms, std::optional<Side> limit_side, PriceRange bands);
    /// As it was, after a restart.
    ReopeningCollar(const Terms& terms, Price reference, PriceRange range);

    /// Wider by one step where the surplus is. Without a surplus, on both sides.
    void extend(std::optional<Side> surplus);

    [[nodiscard]] PriceRange range() const { return range_; }
    /// The price that the steps are a part of: that of the limit state.
    [[nodiscard]] Price reference() const { return reference_; }

  private:
    PriceRange range_;
    Price reference_;
    Price step_;
};

}  // namespace damrak::auction
