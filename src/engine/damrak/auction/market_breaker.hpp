// Market-wide circuit breaker: halts a group of instruments when an index has fallen far enough.
//
// Called with each value of the index, and when it says that something is due. No allocation,
// constant time. Source: NYSE Rule 7.12 and Nasdaq Equity 4, 4121.
// docs/rule-book/market-wide-breakers.md has the rules.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <damrak/auction/detail/durations.hpp>
#include <damrak/auction/rounding.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::auction {

class MarketBreaker {
  public:
    static constexpr int k_levels = 3;

    /// Levels and durations of the breaker.
    struct Terms {
        std::array<std::int64_t, k_levels> fall_basis_points{700, 1'300, 2'000};
        Timestamp halt = minutes(15);
        /// From then on only the last level counts.
        Timestamp quiet_before_close = minutes(35);
    };
    enum class Phase : std::uint8_t { trading, halted, reopening, closed };

    /// `last_close` is the index at its last close, in any unit.
    MarketBreaker(const Terms& terms, Wide last_close, Timestamp close)
        : terms_(terms), last_close_(last_close), close_(close) {}

    /// After a restart, with the index as it stands: the levels that it has reached halted before.
    void restore(Wide value);
    /// After a restart in a halt that began then.
    void restore_halt(Timestamp begun) {
        phase_ = Phase::halted;
        due_ = begun + terms_.halt;
    }

    /// After a restart when the market was closed for the day.
    void restore_close() {
        phase_ = Phase::closed;
        reached_ = k_levels;
    }

    /// The level that halts trading now, from 1, if one does. Values during a halt do not count.
    std::optional<int> on_index(Timestamp now, Wide value);
    void on_time(Timestamp now);
    /// The reopening auctions took place.
    void resume() { phase_ = Phase::trading; }

    [[nodiscard]] Phase phase() const { return phase_; }
    /// The highest level that halted today; zero: none.
    [[nodiscard]] int reached() const { return reached_; }
    /// What the index falls to at these levels, rounded down.
    [[nodiscard]] std::array<Wide, k_levels> levels() const;
    /// When the halt ends.
    [[nodiscard]] std::optional<Timestamp> due() const { return due_; }

  private:
    [[nodiscard]] bool has_fallen_to(int level, Wide value) const;

    Terms terms_;
    Wide last_close_;
    Timestamp close_;
    Phase phase_ = Phase::trading;
    int reached_ = 0;  // the highest level that halted today
    std::optional<Timestamp> due_;
};

}  // namespace damrak::auction
