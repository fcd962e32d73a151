// The participants of the demo market and their turns. See demo_market.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/base/token_bucket.hpp>
#include <damrak/client/order_entry.hpp>
#include <damrak/sim/detail/reference_prices.hpp>

namespace damrak::sim::detail {

/// Has its positions by instrument and its request budget; derived classes decide what to trade.
class DemoTrader {
  public:
    DemoTrader(std::string_view name, const ReferencePrices& prices, std::uint64_t seed,
               std::uint32_t requests_per_second)
        : name_(name),
          prices_(&prices),
          random_(seed),
          budget_(requests_per_second, requests_per_second / 2),
          positions_(prices.size()) {}
    DemoTrader(const DemoTrader&) = delete;
    DemoTrader& operator=(const DemoTrader&) = delete;
    virtual ~DemoTrader() = default;

    [[nodiscard]] std::string_view name() const { return name_; }
    void hear(const client::News& news);
    virtual void act(std::int64_t now_ns, client::OrderEntry& entry) = 0;

  protected:
    [[nodiscard]] const ReferencePrices& prices() const { return *prices_; }
    [[nodiscard]] RandomStream& random() { return random_; }
    [[nodiscard]] std::int64_t position(std::size_t i) const { return positions_[i]; }
    /// Whether another request may be sent now; if so, counts it.
    [[nodiscard]] bool spend(std::int64_t now_ns);
    /// A random number of lots from one to `most`.
    [[nodiscard]] std::uint64_t lots(std::size_t i, std::uint32_t most) {
        return (random_.below(most) + 1) * prices_->instrument(i).lot;
    }

  private:
    std::string_view name_;
    const ReferencePrices* prices_;
    RandomStream random_;
    TokenBucket budget_;
    std::vector<std::int64_t> positions_;
};

/// Quotes five prices a side around the reference price, leaning against its own position.
class MarketMaker final : public DemoTrader {
  public:
    struct Style {
        std::uint32_t half_spread;  ///< units from the middle to the best price
        std::uint32_t spacing;      ///< units between prices
        std::uint32_t most_lots;    ///< quantity of a quote
        std::uint32_t patience;     ///< units that the price may move before quotes follow
    };

    MarketMaker(std::string_view name, const ReferencePrices& prices, std::uint64_t seed,
                const Style& style);
    void act(std::int64_t now_ns, client::OrderEntry& entry) override;

  private:
    static constexpr std::size_t k_quotes = 5;
    static constexpr std::int64_t k_most_lean = 10;

    struct Quote {
        std::uint32_t number = 0;
        std::uint64_t price_e2 = 0;  ///< last requested
    };
    struct Book {
        std::uint64_t middle_e2 = 0;
        std::array<std::array<Quote, k_quotes>, 2> sides;
        bool asks_first = false;
    };

    void aim(std::size_t i);
    bool bring(std::size_t i, Side side, std::int64_t now_ns, client::OrderEntry& entry);
    bool bring(std::size_t i, Side side, std::size_t k, std::int64_t now_ns,
               client::OrderEntry& entry);

    Style style_;
    std::vector<Book> books_;
    std::size_t first_ = 0;  ///< instrument that goes first
};

/// Buys and sells at random: at the market, or at a nearby price, where it waits for a while.
class NoiseTrader final : public DemoTrader {
  public:
    using DemoTrader::DemoTrader;
    void act(std::int64_t now_ns, client::OrderEntry& entry) override;

  private:
    std::int64_t next_ns_ = INT64_MIN;
};

/// Buys an instrument that has risen for ten seconds and sells one that has fallen, up to a
/// position limit.
class TrendFollower final : public DemoTrader {
  public:
    using DemoTrader::DemoTrader;
    void act(std::int64_t now_ns, client::OrderEntry& entry) override;

  private:
    std::int64_t next_ns_ = INT64_MIN;
};

}  // namespace damrak::sim::detail
