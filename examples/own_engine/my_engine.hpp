// Stands for your engine: a book of price-time priority in standard containers. It knows nothing of
// Damrak; docs/how-to/test-your-engine.md puts it under Damrak's streams.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

struct MyTrade {
    std::uint64_t taker = 0;
    std::uint64_t maker = 0;
    std::int64_t price = 0;
    std::int64_t quantity = 0;

    friend bool operator==(const MyTrade&, const MyTrade&) = default;
};

class MyBook {
  public:
    using Trades = std::vector<MyTrade>;

    Trades enter(std::uint64_t id, bool buys, std::int64_t price, std::int64_t quantity,
                 bool immediate) {
        Trades trades;
        auto& others = buys ? asks_ : bids_;
        while (quantity > 0 && !others.empty() && others.begin()->first <= key(!buys, price)) {
            auto& queue = others.begin()->second;
            Order& maker = queue.front();
            const std::int64_t filled = std::min(quantity, maker.quantity);
            trades.push_back({id, maker.id, maker.price, filled});
            quantity -= filled;
            maker.quantity -= filled;
            if (maker.quantity == 0) cancel(maker.id);
        }
        if (quantity == 0 || immediate) return trades;
        auto& queue = (buys ? bids_ : asks_)[key(buys, price)];
        orders_[id] = queue.insert(queue.end(), {id, buys, price, quantity});
        return trades;
    }
    void cancel(std::uint64_t id) {
        const auto order = orders_.at(id);
        auto& side = order->buys ? bids_ : asks_;
        const auto level = side.find(key(order->buys, order->price));
        level->second.erase(order);
        if (level->second.empty()) side.erase(level);
        orders_.erase(id);
    }
    /// Loses priority, and may trade.
    Trades replace(std::uint64_t id, std::int64_t price, std::int64_t quantity) {
        const bool buys = orders_.at(id)->buys;
        cancel(id);
        return enter(id, buys, price, quantity, false);
    }

  private:
    struct Order {
        std::uint64_t id;
        bool buys;
        std::int64_t price;
        std::int64_t quantity;
    };
    using Side = std::map<std::int64_t, std::list<Order>>;

    // The best price of a side has the lowest key.
    static std::int64_t key(bool buys, std::int64_t price) { return buys ? -price : price; }

    Side bids_;
    Side asks_;
    std::unordered_map<std::uint64_t, std::list<Order>::iterator> orders_;
};
