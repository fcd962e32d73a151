// Limit up, limit down: the reference price, which follows the mean price of the last five minutes
// in steps.
//
// Called with each eligible trade, and when it says that something is due. Memory is fixed: a count
// and a sum for each second of the window. Constant time, except that seconds that pass without a
// call cost a step each, at most one window. Source: LULD plan, section V(A).
// docs/rule-book/limit-up-limit-down.md has the rules.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <damrak/auction/detail/durations.hpp>
#include <damrak/auction/rounding.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::auction {

class LuldReference {
  public:
    static constexpr std::int64_t k_window_seconds = 300;

    /// Parameters of the plan.
    struct Terms {
        std::int64_t change_basis_points = 100;
        Timestamp minimum_stay = seconds(30);
    };

    /// The first reference price of the day.
    LuldReference(const Terms& terms, Timestamp now, Price reference);

    /// After a pause: a new reference price, and trades before it no longer count.
    void restart(Timestamp now, Price reference);

    /// Each tells whether the reference price changed. What was due before is done first, at its
    /// own time, so that the result does not depend on how often on_time() is called.
    bool on_trade(Timestamp now, Price price);
    bool on_time(Timestamp now);

    /// A reference price, and since when.
    struct Standing {
        Price price{};
        Timestamp since{};
        bool operator==(const Standing&) const = default;
    };
    /// For a limit state: trades enter the window, and the reference price stays as given, which is
    /// the one in effect.
    void hold(Standing in_effect);
    /// After it, if it was held: the mean of the trades in the window now may replace it.
    void release(Timestamp now);

    [[nodiscard]] Price reference() const { return standing_.price; }
    [[nodiscard]] Standing standing() const { return standing_; }
    /// The mean of the trades in the window, if there are any.
    [[nodiscard]] std::optional<Price> pro_forma() const;
    /// When on_time() may change the reference price, if no trade comes before and it is not held.
    [[nodiscard]] std::optional<Timestamp> due() const;

  private:
    struct Second {
        Wide sum = 0;
        std::int64_t trades = 0;
    };
    static std::int64_t second_of(Timestamp time) { return time.value / seconds(1).value; }
    Second& at(std::int64_t second) {
        return window_[static_cast<std::size_t>(second % k_window_seconds)];
    }
    void forget_before(std::int64_t second);
    [[nodiscard]] bool differs_enough(Price price) const;
    bool replace(Timestamp now);

    Terms terms_;
    Standing standing_;
    bool is_held_ = false;
    std::array<Second, k_window_seconds> window_{};
    Second total_{};
    std::int64_t first_second_ = 0;  // with trades, if there are any
};

}  // namespace damrak::auction
