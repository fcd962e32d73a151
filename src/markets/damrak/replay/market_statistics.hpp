// The figures of `damrak replay` for each instrument: counts, volume, spread and depth. An observer
// of BookBuilder, one thread, some 10 ns a message. The depth costs more, but is sampled only at
// the first change in each second of recorded time.
//
// Spreads count while the market is open: from its opening to its close, if the recording has
// these, except while trading in the instrument is halted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/measures/traded.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/recorded.hpp>
#include <damrak/replay/detail/day_series.hpp>
#include <damrak/replay/detail/spread_statistics.hpp>
#include <damrak/replay/detail/standing_time.hpp>

namespace damrak::replay {

/// Sums of samples of the quantity at the best levels of both sides.
struct DepthSamples {
    std::uint64_t count{};
    std::int64_t bid_sum{};
    std::int64_t ask_sum{};
};

/// Shares of the time in which an instrument was open for trading.
struct Coverage {
    double two_sided{};  ///< with a bid and an ask, not crossed
    double crossed{};
};

/// Statistics of an instrument.
struct InstrumentStatistics {
    std::string symbol;
    /// Applied messages, by Change; concealed orders have none.
    std::uint64_t changes[order_flow::k_changes]{};
    measures::Traded traded;
    std::optional<Price> first_trade;
    Price last_trade{};
    Price high_trade{};
    Price low_trade{};
    SpreadStatistics spread;
    StandingTime open;     ///< since its first order, while open and not halted
    StandingTime crossed;  ///< of this, time with the best bid above the best ask
    DepthSamples depth;
    std::unique_ptr<DaySeries> series;  ///< only if a plot was requested

    // Current values:
    PriceKey bid_key{k_no_price};
    PriceKey ask_key{k_no_price};
    bool halted{false};
    bool seen{false};
    std::int64_t depth_second{-1};

    [[nodiscard]] std::uint64_t count(order_flow::Change change) const {
        return changes[static_cast<std::size_t>(change)];
    }
    [[nodiscard]] std::uint64_t orders() const {
        return count(order_flow::Change::added) + count(order_flow::Change::replaced);
    }
    [[nodiscard]] std::uint64_t messages() const;
    /// Nothing if no time passed.
    [[nodiscard]] std::optional<Coverage> coverage() const;
};

/// What is measured.
struct StatisticsSettings {
    int depth_levels{5};
    bool series{false};  ///< keep the data of a plot
};

class MarketStatistics {
  public:
    static constexpr bool k_observes = true;
    /// Maximum number of instruments with series, in the order of their first trades.
    static constexpr std::size_t k_most_series = 64;

    explicit MarketStatistics(const StatisticsSettings& settings) : settings_{settings} {}

    void declare(InstrumentId instrument, std::string_view symbol);
    void executed(const order_flow::At& at, Price price, Quantity quantity, Side aggressor);
    void changed(const order_flow::At& at, order_flow::Change change, const BookStore& store,
                 const order_flow::BuiltBook& built);
    void traded(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                Quantity quantity, std::optional<Side> aggressor);
    void phase(const order_flow::At& at, order_flow::StateChange phase);

    /// Ends open intervals at the time of the last message.
    void finish();

    [[nodiscard]] const std::vector<InstrumentStatistics>& instruments() const {
        return instruments_;
    }
    [[nodiscard]] std::optional<std::int64_t> first_ns() const { return first_ns_; }
    [[nodiscard]] std::int64_t last_ns() const { return last_ns_; }
    [[nodiscard]] std::uint32_t most_orders() const { return most_orders_; }
    [[nodiscard]] const StatisticsSettings& settings() const { return settings_; }

  private:
    void note_time(std::int64_t time_ns) {
        if (!first_ns_) first_ns_ = time_ns;
        last_ns_ = std::max(last_ns_, time_ns);
    }
    void on_top(const order_flow::At& at, InstrumentStatistics& instrument,
                const order_flow::PriceScale& scale);
    void sample_depth(const order_flow::At& at, InstrumentStatistics& instrument,
                      const BookStore& store, const OrderBook& book) const;
    void note_price(const order_flow::At& at, InstrumentStatistics& instrument, Price price,
                    std::optional<Side> aggressor);
    // Counts the instrument's current prices from this time on, if the market is open for it.
    void count_from(std::int64_t time_ns, std::size_t index);

    StatisticsSettings settings_;
    std::vector<InstrumentStatistics> instruments_;
    std::vector<std::optional<std::int64_t>> spreads_;  // negative: crossed
    std::size_t series_{0};
    std::optional<std::int64_t> first_ns_;
    std::int64_t last_ns_{0};
    std::uint32_t most_orders_{0};
    bool closed_{false};
};

}  // namespace damrak::replay
