// What instruments are worth by the news of the world, as paths over time: common factors, a part
// of the instrument's own, mean reversion and jumps. Participants that trade on news see it through
// their own delay and error (MarketAccess::fundamental).
//
// A path is a function of the seed, the step and the time alone, made step by step as time passes,
// so that it is the same whatever participants do. It is constant within a step. One thread; O(1) a
// call that goes forward, O(log steps) for a time of before.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/market_kernel/draws.hpp>

namespace damrak::market_kernel {

/// A source of returns that instruments share.
struct FactorDescription {
    double volatility = 0;  ///< of its log return, per square root of a second
};

/// Of an instrument that follows others: this much of this one.
struct BasketPart {
    InstrumentId instrument{};
    double weight = 1;
};

/// How the value of an instrument moves.
struct FundamentalDescription {
    double start = 0;             ///< in price units; also what the path reverts to
    double volatility = 0;        ///< own part of the log return, per square root of a second
    double reversion = 0;         ///< share of the distance to `start` (in logs) that goes a second
    double jumps_per_s = 0;       ///< rate of jumps
    double jump_size = 0;         ///< standard deviation of the log return of a jump
    std::vector<double> loads{};  ///< on each factor
    /// Not empty: the path starts from and reverts to what these, all with lower ids, were worth
    /// `lag_ns` ago, in place of `start`. An index or an ETF; with one part, a share that lags.
    std::vector<BasketPart> basket{};
    std::int64_t lag_ns = 0;
};

/// A move that a scenario asks for: from `time` on, everything is worth e^return as much.
struct PlannedMove {
    InstrumentId instrument{};
    Timestamp time{};
    double log_return = 0;
};

/// The values of all instruments over time.
class Fundamentals {
  public:
    static constexpr std::int64_t k_step_ns = 10'000'000;

    /// Eight bytes for each step of an instrument and of a factor. With one jump a step at most,
    /// and steps short against the reversion, the law of the path does not depend on `step_ns`.
    Fundamentals(std::uint64_t seed, Timestamp begin, const std::vector<FactorDescription>& factors,
                 std::vector<FundamentalDescription> instruments, std::int64_t step_ns = k_step_ns);

    /// Before the path has been asked for a time after the move's.
    void plan(const PlannedMove& move) { moves_.push_back(move); }
    /// In price units. A time before the beginning is the beginning.
    [[nodiscard]] double value(InstrumentId instrument, Timestamp at);

  private:
    struct Path {
        FundamentalDescription is;
        Draws own;
        Draws jumps;
        std::vector<double> values;  ///< logarithm over the start, by step
    };
    struct Factor {
        FactorDescription is;
        Draws draws;
        std::vector<double> returns;  ///< by step
    };

    void extend(Path& path, std::size_t step);
    [[nodiscard]] double factor_return(Factor& factor, std::size_t step) const;
    [[nodiscard]] double base(const FundamentalDescription& is, Timestamp at);
    [[nodiscard]] double planned(InstrumentId instrument, Timestamp at) const;

    Timestamp begin_;
    std::int64_t step_ns_;
    double step_s_;
    std::vector<Factor> factors_;
    std::vector<Path> paths_;
    std::vector<PlannedMove> moves_;
};

}  // namespace damrak::market_kernel
