// The path from tick to trade: an order of the feed trades with the book where it can, each trade
// is logged, and the rest of the order rests. One thread.
//
// `Owner` and `BookSide` are parts of parts.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/lab/tick_to_trade/parts.hpp>

namespace damrak::lab::tick_to_trade {

/// A trade in the log.
struct LoggedTrade {
    std::uint64_t taker = 0;
    std::uint64_t maker = 0;
    std::int32_t price_ticks = 0;
    std::uint32_t quantity = 0;
    friend bool operator==(const LoggedTrade&, const LoggedTrade&) = default;
};

template <class Owner, template <class> class BookSide>
class Path {
  public:
    explicit Path(std::size_t ticks) { log_.reserve(2 * ticks); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;
    ~Path() {
        for (auto* const side : {&bids_, &asks_})
            while (!side->empty()) owner_.drop(side->take_best());
    }

    /// Calls `on_trade()` after each logged trade.
    template <class F>
    void on_tick(const Tick& tick, F&& on_trade) {
        auto order = owner_.make(tick);
        OneSide& opposite = tick.side == Side::buy ? asks_ : bids_;
        while (order->quantity > 0 && !opposite.empty() && crosses(*order, *opposite.best())) {
            auto& maker = *opposite.best();
            const std::uint32_t filled = std::min(order->quantity, maker.quantity);
            order->quantity -= filled;
            maker.quantity -= filled;
            log_.push_back({order->id, maker.id, maker.price_ticks, filled});
            on_trade();
            if (maker.quantity == 0) owner_.drop(opposite.take_best());
        }
        if (order->quantity == 0) return owner_.drop(std::move(order));
        (tick.side == Side::buy ? bids_ : asks_).insert(std::move(order));
    }
    void on_tick(const Tick& tick) {
        on_tick(tick, [] {});
    }

    [[nodiscard]] const std::vector<LoggedTrade>& log() const { return log_; }

  private:
    using OneSide = BookSide<typename Owner::Handle>;

    template <class Order>
    static bool crosses(const Order& taker, const Order& maker) {
        return taker.side == Side::buy ? maker.price_ticks <= taker.price_ticks
                                       : maker.price_ticks >= taker.price_ticks;
    }

    Owner owner_;
    OneSide bids_{Side::buy};
    OneSide asks_{Side::sell};
    std::vector<LoggedTrade> log_;
};

/// A feed in which three of ten ticks cross the middle and the others stay on their side, up to 500
/// prices away.
[[nodiscard]] inline std::vector<Tick> make_feed(std::uint32_t ticks, std::uint64_t seed) {
    constexpr std::int32_t k_middle_ticks = 10'000;
    constexpr std::uint32_t k_reach_ticks = 500;
    RandomStream random{seed};
    std::vector<Tick> feed;
    feed.reserve(ticks);
    for (std::uint32_t id = 1; id <= ticks; ++id) {
        const Side side = random.coin() ? Side::buy : Side::sell;
        const bool above = (side == Side::sell) != (random.below(10) < 3);
        const auto away = static_cast<std::int32_t>(1 + random.below(k_reach_ticks));
        feed.push_back({.id = id,
                        .price_ticks = k_middle_ticks + (above ? away : -away),
                        .quantity = 1 + random.below(100),
                        .side = side});
    }
    return feed;
}

}  // namespace damrak::lab::tick_to_trade
