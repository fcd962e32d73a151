// What trading does to the price: Kyle's lambda, Amihud's ratio, Roll's spread, VPIN, order-flow
// imbalance, uncertainty zones; and the memory of trade signs. Called by Measures, in time order.
// Constant memory.
//
// Sources: Kyle (1985); Amihud (2002); Roll (1984); Easley, López de Prado and O'Hara (2012);
// Cont, Kukanov and Stoikov (2014); Robert and Rosenbaum (2011).
#pragma once

#include <cmath>
#include <cstdint>

#include <damrak/measures/input.hpp>
#include <damrak/measures/results.hpp>
#include <damrak/measures/statistics.hpp>

namespace damrak::measures {

/// s = 2 sqrt(-cov) of successive price changes of trades; undefined if cov >= 0.
class RollSpread {
  public:
    explicit RollSpread(std::uint32_t block) : block_(block) {}
    void trade(double price);
    [[nodiscard]] bool has_value() const { return pairs_.count() > 1 && pairs_.covariance() < 0; }
    [[nodiscard]] double spread() const { return 2 * std::sqrt(-pairs_.covariance()); }
    [[nodiscard]] std::uint64_t pairs() const { return pairs_.count(); }
    [[nodiscard]] double mean_price() const { return prices_.mean(); }
    /// Of the blocks of trades, how many give no spread.
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t undefined() const { return undefined_; }

  private:
    std::uint32_t block_;
    std::uint64_t trades_ = 0;
    double last_price_ = 0;
    double last_change_ = 0;
    Moments prices_;
    Regression pairs_;
    Regression block_pairs_;
    std::uint64_t blocks_ = 0;
    std::uint64_t undefined_ = 0;
};

/// Mean |bought - sold| / volume over buckets of equal volume.
class Vpin {
  public:
    explicit Vpin(std::int64_t bucket) : bucket_(bucket) {}
    void trade(const PublicTrade& trade);
    [[nodiscard]] const Moments& buckets() const { return buckets_; }

  private:
    std::int64_t bucket_;
    std::int64_t filled_ = 0;
    std::int64_t signed_ = 0;
    Moments buckets_;
};

/// eta = continuations / (2 alternations) of the changes of traded prices: the price moves when the
/// efficient price is 1/2 + eta ticks away. Undefined without an alternation.
class UncertaintyZones {
  public:
    void trade(std::int64_t price);
    [[nodiscard]] bool has_value() const { return alternations_ > 0; }
    [[nodiscard]] double eta() const {
        return static_cast<double>(continuations_) / (2 * static_cast<double>(alternations_));
    }
    [[nodiscard]] std::uint64_t count() const { return continuations_ + alternations_; }

  private:
    std::int64_t last_price_ = 0;  ///< zero: no trade yet
    int last_direction_ = 0;       ///< zero: no change yet
    std::uint64_t continuations_ = 0;
    std::uint64_t alternations_ = 0;
};

/// Change of the displayed best quantities by one step, bought less sold.
[[nodiscard]] double order_flow_of(const Top& before, const Top& after);

class PriceEffects {
  public:
    explicit PriceEffects(const Settings& settings)
        : currency_(static_cast<double>(settings.currency)),
          roll_(settings.roll_block),
          vpin_(settings.vpin_bucket) {}

    void trade(const PublicTrade& trade);
    void step(const Top& before, const Top& after);
    /// `top` stood until this time: windows that end by then are closed.
    void settle(const Top& top, Timestamp until);
    void report(Results& results) const;

  private:
    void report_roll(Results& results) const;
    /// Sums between two points of an even grid.
    struct Window {
        std::int64_t length_ns = 0;
        std::int64_t end_ns = 0;  ///< zero: has not begun
        Top begin{};
        double flow = 0;
        double value = 0;
        void restart(const Top& top, Timestamp until);
    };

    void close_minute(const Top& top);
    void close_ofi(const Top& top);

    double currency_;  ///< price units
    Window minute_{.length_ns = 60'000'000'000};
    Window ofi_{.length_ns = 10'000'000'000};
    Regression kyle_;
    Moments amihud_;
    Regression ofi_regression_;
    RollSpread roll_;
    UncertaintyZones zones_;
    Vpin vpin_;
    Autocorrelation signs_{{1, 2, 5, 10}};
    Autocorrelation merged_signs_{{1, 2, 5, 10}};
    Timestamp merged_time_{};
    std::int64_t merged_volume_ = 0;
};

}  // namespace damrak::measures
