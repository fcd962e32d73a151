// One instrument's day in bounded memory, for a chart. Filled during a replay, in time order, by
// the thread that builds the books; read by day_plot.hpp at the end.
//
// Time is divided into at most k_most_buckets buckets. They begin one microsecond wide and double
// their width when the day outgrows them, so that a minute and a day both have the resolution of a
// chart. An update costs a few comparisons; memory stays below 600 kB per instrument.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::replay {

/// Lowest, highest and last value within a bucket.
struct Extent {
    std::int64_t low{};
    std::int64_t high{};
    std::int64_t last{};
    bool seen{false};

    void add(const Extent& later);
    void add(std::int64_t value) { add(Extent{value, value, value, true}); }
};

struct Bucket {
    std::int64_t begin_ns{};  // since midnight
    Extent bid;
    Extent ask;
    Extent spread;
    Extent bid_depth;
    Extent ask_depth;
    Extent bought;  // prices of trades whose aggressor bought
    Extent sold;
    bool has_bid{false};  // at the end of the bucket
    bool has_ask{false};
};

class DaySeries {
  public:
    static constexpr std::size_t k_most_buckets = 2048;

    /// `depth_levels`: levels per side in the depths passed to on_depth().
    DaySeries(std::string symbol, int depth_levels)
        : symbol_{std::move(symbol)}, depth_levels_{depth_levels} {}

    /// Call after every change of the best bid or ask; more often is harmless.
    void on_top(std::int64_t time_ns, std::optional<Price> bid, std::optional<Price> ask);
    /// Whether a depth is needed: true once per bucket. Check it first, as adding up levels takes
    /// time.
    [[nodiscard]] bool wants_depth(std::int64_t time_ns) const;
    void on_depth(std::int64_t time_ns, Quantity bid, Quantity ask);
    /// Ignores a trade without an aggressor (a cross, or one with a hidden order).
    void on_trade(std::int64_t time_ns, Price price, Side aggressor);

    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    [[nodiscard]] int depth_levels() const { return depth_levels_; }
    [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }
    [[nodiscard]] std::int64_t begin_ns() const { return begin_ns_; }
    [[nodiscard]] std::int64_t end_ns() const { return end_ns_; }

  private:
    Bucket& bucket_at(std::int64_t time_ns);
    void double_width();

    std::string symbol_;
    int depth_levels_;
    std::vector<Bucket> buckets_;  // only buckets with an update, ascending
    std::int64_t width_ns_{1'000};
    std::int64_t begin_ns_{0};  // of the first and the last update
    std::int64_t end_ns_{0};
    std::int64_t depth_due_ns_{0};
};

}  // namespace damrak::replay
