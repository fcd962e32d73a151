// Cost of trading at once and depth: quoted, effective and realised spread, price impact, depth,
// imbalance, microprice, and how fast the spread returns. Called by Measures, in time order.
//
// The spreads of a trade are whole numbers of price units, and so are their sums: effective is
// realised plus impact to the unit. Memory: the trades of the longest horizon (300 s).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include <damrak/measures/input.hpp>
#include <damrak/measures/results.hpp>
#include <damrak/measures/statistics.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::measures {

inline constexpr std::array<std::int64_t, 4> k_horizons_s{1, 10, 60, 300};

/// What trades paid and what it moved, after one horizon; sums over the same trades.
struct SpreadParts {
    /// Of one trade, with the mid before it.
    void add(std::int64_t effective_of, std::int64_t realised_of, double mid);

    std::uint64_t trades = 0;
    std::int64_t effective = 0;
    std::int64_t realised = 0;
    std::int64_t impact = 0;
    /// The same in basis points of the mid before each trade, of those where it is above zero.
    std::uint64_t trades_bp = 0;
    double effective_bp = 0;
    double realised_bp = 0;
    double impact_bp = 0;
};

class Liquidity {
  public:
    explicit Liquidity(const Settings& settings) : settings_(settings) {}

    /// `top` and `depth` stood for this long.
    void hold(const Top& top, const views::VisibleDepth& depth, std::int64_t duration_ns);
    /// `before` is the top before the trade.
    void trade(const PublicTrade& trade, const Top& before);
    /// `top` was in force up to this time, inclusive: trades of due horizons are judged by it.
    void settle(const Top& top, Timestamp until);
    /// All changes of one time stamp are through.
    void step(const Top& before, const Top& after, bool has_trade);
    void report(Results& results) const;

    [[nodiscard]] const SpreadParts& parts(std::size_t horizon) const { return parts_[horizon]; }

  private:
    struct Open {
        PublicTrade trade{};
        std::int64_t twice_mid = 0;
    };
    /// A spread that a trade has widened.
    struct Widened {
        std::int64_t spread_before = 0;
        std::int64_t extra = 0;
        Timestamp begin{};
        std::uint32_t events = 0;
        bool is_half_back = false;
    };
    static constexpr std::array<std::uint32_t, 3> k_events{1, 10, 100};
    static constexpr std::array<std::size_t, 3> k_levels{1, 5, 10};

    void follow(const Top& after);
    void report_spreads(Results& results) const;
    void report_parts(Results& results, std::size_t horizon) const;

    Settings settings_;
    TimeWeighted spread_;  ///< price units
    TimeWeighted spread_bp_;
    std::array<TimeWeighted, 3> depth_;
    TimeWeighted imbalance_;
    TimeWeighted imbalance_size_;
    TimeWeighted microprice_;  ///< price units
    TimeWeighted microprice_bp_;
    Moments effective_;  ///< price units
    Moments effective_bp_;
    std::array<std::deque<Open>, k_horizons_s.size()> open_;
    std::array<SpreadParts, k_horizons_s.size()> parts_{};
    std::deque<Widened> widened_;
    std::uint64_t widenings_ = 0;  ///< followed to their end
    std::array<std::uint64_t, 3> back_within_{};
    Moments half_life_s_;
};

}  // namespace damrak::measures
