// All market-quality measures of one instrument and one day, computed as the day goes by, the same
// for simulated and recorded days. docs/reference/measures.md defines each.
//
//   Measures measures{settings};
//   measures.on_change(change);      // each public change, in time order
//   measures.on_message(message);    // only if the record has messages about single orders
//   const Results results = measures.finish(end);
//
// Changes with the same time stamp are one step: "before a trade" is before the first of them. One
// thread. A change costs some hundred nanoseconds; memory is the displayed levels and the trades of
// the last 300 s.
#pragma once

#include <array>
#include <cstdint>

#include <damrak/measures/detail/liquidity.hpp>
#include <damrak/measures/detail/path_statistics.hpp>
#include <damrak/measures/detail/queue_outcomes.hpp>
#include <damrak/measures/detail/trading.hpp>
#include <damrak/measures/input.hpp>
#include <damrak/measures/results.hpp>
#include <damrak/measures/traded.hpp>
#include <damrak/measures/watcher.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::measures {

class Measures {
  public:
    explicit Measures(const Settings& settings = {})
        : settings_(settings), liquidity_(settings), trading_(settings) {}

    /// False: refused, because time goes back or the best prices cross. It changes nothing but the
    /// count of refused changes, and of what was traded.
    bool on_change(const views::PublicChange& change);
    /// About a single order; before the changes that it causes.
    void on_message(const OrderMessage& message);
    /// A trade whose aggressor nobody tells, as with a hidden order: it counts as traded only.
    void on_hidden_trade(Quantity quantity) { traded_.hidden.add(quantity); }
    /// It sees what comes from now on, and must outlive this.
    void show_to(Watcher& watcher) { watcher_ = &watcher; }
    /// The day is over; nothing may come after it.
    [[nodiscard]] Results finish(Timestamp end);

    [[nodiscard]] const Liquidity& liquidity() const { return liquidity_; }

  private:
    void advance(Timestamp to);
    void stand(Timestamp last, std::int64_t duration_ns);
    void close_step();
    void sample();
    void report_path(Results& results) const;
    void report_volatility(Results& results) const;
    void report_messages(Results& results) const;
    [[nodiscard]] bool is_at_best(const OrderMessage& message) const;
    void follow(const OrderMessage& message);

    Settings settings_;
    Liquidity liquidity_;
    PriceEffects trading_;
    views::VisibleDepth depth_;
    Top before_{};
    Top top_{};
    Timestamp now_{};
    bool has_begun_ = false;
    bool has_trade_ = false;
    Traded traded_;
    std::uint64_t changes_ = 0;
    std::uint64_t refused_ = 0;

    std::int64_t next_sample_ns_ = 0;
    PathStatistics path_{{1, 2, 5, 10, 60, 300}};  ///< mid by the second
    Autocorrelation returns_{{1}};
    Autocorrelation return_sizes_{{1}};
    Moments relative_returns_;  ///< by the second, to the mid before; where that is above zero
    double last_sample_ = 0;
    bool has_sample_ = false;

    std::array<std::uint64_t, 6> messages_{};
    std::uint64_t round_adds_ = 0;  ///< of 100
    Timestamp last_message_{};
    Moments waits_s_;
    QueueOutcomes queues_;
    Watcher* watcher_ = nullptr;
};

}  // namespace damrak::measures
