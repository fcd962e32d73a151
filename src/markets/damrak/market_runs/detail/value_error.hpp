// How far the mid of a simulated market is from what the instrument is worth, and how fast it comes
// there: the error by horizon, and the half-life of news. It looks ten times a second.
// docs/reference/measures.md defines the measures. One thread; some hundred additions a look.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <damrak/market_kernel/fundamental.hpp>
#include <damrak/measures/results.hpp>
#include <damrak/measures/statistics.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::market_runs::detail {

class ValueError {
  public:
    static constexpr std::int64_t k_step_ns = 100'000'000;
    static constexpr std::size_t k_lags = 300;  ///< steps that an error is followed
    static constexpr std::array<std::size_t, 3> k_horizons_s{1, 10, 30};

    /// The values must outlive it.
    ValueError(market_kernel::Fundamentals& values, InstrumentId instrument, Timestamp begin)
        : values_(&values), instrument_(instrument), next_(begin) {}

    void on_change(const views::PublicChange& change);
    /// The market ran to this time.
    void finish(Timestamp end, measures::Results& results);

  private:
    /// What was seen at one look. What could not be seen is zero, so that it counts nowhere.
    struct Look {
        double value = 0;
        double mid = 0;
        double error = 0;       ///< of the mid
        double news = 0;        ///< change of the value since the look before
        double mid_before = 0;  ///< at that look
    };
    /// Sums over the looks and what was seen this many steps later.
    struct Lag {
        double error_left = 0;  ///< of the error then, times what of it is left
        double error = 0;       ///< of the squares of the error then
        double arrived = 0;     ///< of the news then, times the change of the mid since before them
        double news = 0;        ///< of the squares of the news then
    };
    void look_until(Timestamp until);
    void look();
    /// Of news, in steps since the value changed; none: after the last lag more is left than half.
    [[nodiscard]] std::optional<double> half_life() const;

    market_kernel::Fundamentals* values_;
    InstrumentId instrument_;
    Timestamp next_;
    std::optional<double> mid_;  ///< none: a side is empty, or the instrument does not trade
    std::size_t looks_ = 0;
    std::uint64_t measured_ = 0;       ///< looks with a mid
    std::array<Look, k_lags> last_{};  ///< by their number, in a ring
    std::array<Lag, k_lags + 1> lags_{};
    measures::Moments error_bp_;
};

}  // namespace damrak::market_runs::detail
