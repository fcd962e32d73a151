// Rungs 0 and 1: an exchange as often first written. Orders are shared_ptr, a side is a std::map of
// floating-point prices to lists, ids are found in an unordered_map, and each call returns its
// trades in a vector and its reason as a text. A resting order costs three allocations or more.
//
// Rung 1 replaces `Books`, which maps a symbol to its book.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

/// An order of the first version.
template <class Symbol>
struct MapOrder {
    std::uint64_t id = 0;
    Symbol symbol{};
    Side side{};
    double price = 0;
    std::uint32_t quantity = 0;
};

/// A book of the first version: maps of lists of shared pointers.
template <class Symbol>
struct MapBook {
    using Queue = std::list<std::shared_ptr<MapOrder<Symbol>>>;
    std::map<double, Queue, std::greater<>> bids;
    std::map<double, Queue> asks;
};

/// Rung 0: by name, created at first use.
class NamedBooks {
  public:
    using Symbol = std::string;
    explicit NamedBooks(const Setup& /*setup*/) {}
    [[nodiscard]] MapBook<Symbol>& of(const Symbol& symbol) { return books_[symbol]; }

  private:
    std::unordered_map<Symbol, MapBook<Symbol>> books_;
};

/// Rung 1: by number, all created at the start.
class NumberedBooks {
  public:
    using Symbol = std::uint32_t;
    explicit NumberedBooks(const Setup& setup) : books_(setup.symbols) {}
    [[nodiscard]] MapBook<Symbol>& of(Symbol symbol) { return books_[symbol]; }

  private:
    std::vector<MapBook<Symbol>> books_;
};

template <class Books>
class MapEngine {
  public:
    using Symbol = typename Books::Symbol;
    using Answer = Outcome<double>;

    explicit MapEngine(const Setup& setup)
        : books_(setup), price_max_(price_of(setup.price_max_ticks) + k_tick / 2) {}

    [[nodiscard]] Answer limit(const Symbol& symbol, std::uint64_t id, Side side, double price,
                               std::uint32_t quantity, bool ioc) {
        if (quantity == 0) return refuse(Refusal::invalid_quantity);
        if (!is_price(price)) return refuse(Refusal::invalid_price);
        if (orders_.contains(id)) return refuse(Refusal::duplicate_id);
        return enter(symbol, id, side, price, quantity, !ioc);
    }

    [[nodiscard]] Answer market(const Symbol& symbol, std::uint64_t id, Side side,
                                std::uint32_t quantity) {
        if (quantity == 0) return refuse(Refusal::invalid_quantity);
        if (orders_.contains(id)) return refuse(Refusal::duplicate_id);
        return enter(symbol, id, side, side == Side::buy ? price_max_ : 0.0, quantity, false);
    }

    [[nodiscard]] Answer cancel(std::uint64_t id) {
        const auto found = orders_.find(id);
        if (found == orders_.end()) return refuse(Refusal::unknown);
        take_out(found);
        return {};
    }

    [[nodiscard]] Answer replace(std::uint64_t id, double price, std::uint32_t quantity) {
        if (quantity == 0) return refuse(Refusal::invalid_quantity);
        if (!is_price(price)) return refuse(Refusal::invalid_price);
        const auto found = orders_.find(id);
        if (found == orders_.end()) return refuse(Refusal::unknown);
        const std::shared_ptr<Order> order = *found->second;
        take_out(found);
        return enter(order->symbol, id, order->side, price, quantity, true);
    }

  private:
    using Order = MapOrder<Symbol>;
    using Book = MapBook<Symbol>;
    using Queue = typename Book::Queue;
    using Orders = std::unordered_map<std::uint64_t, typename Queue::iterator>;

    static Answer refuse(Refusal refusal) { return {std::string{text_of(refusal)}, {}}; }
    [[nodiscard]] bool is_price(double price) const {
        return price >= k_tick / 2 && price <= price_max_;
    }

    Answer enter(const Symbol& symbol, std::uint64_t id, Side side, double price,
                 std::uint32_t quantity, bool may_rest) {
        Answer answer;
        Book& book = books_.of(symbol);
        const auto order = std::make_shared<Order>(Order{id, symbol, side, price, quantity});
        if (side == Side::buy) {
            match(book.asks, *order, answer.trades);
            if (may_rest && order->quantity > 0) rest(book.bids, order);
        } else {
            match(book.bids, *order, answer.trades);
            if (may_rest && order->quantity > 0) rest(book.asks, order);
        }
        return answer;
    }

    template <class Levels>
    void match(Levels& levels, Order& taker, std::vector<Trade<double>>& trades) {
        while (taker.quantity > 0 && !levels.empty()) {
            const auto best = levels.begin();
            if (levels.key_comp()(taker.price, best->first)) return;
            Queue& queue = best->second;
            while (taker.quantity > 0 && !queue.empty()) {
                const std::shared_ptr<Order> maker = queue.front();
                const std::uint32_t filled = std::min(taker.quantity, maker->quantity);
                taker.quantity -= filled;
                maker->quantity -= filled;
                trades.push_back({taker.id, maker->id, maker->price, filled});
                if (maker->quantity > 0) continue;
                orders_.erase(maker->id);
                queue.pop_front();
            }
            if (queue.empty()) levels.erase(best);
        }
    }

    template <class Levels>
    void rest(Levels& levels, const std::shared_ptr<Order>& order) {
        Queue& queue = levels[order->price];
        queue.push_back(order);
        orders_.emplace(order->id, std::prev(queue.end()));
    }

    void take_out(typename Orders::iterator found) {
        const std::shared_ptr<Order> order = *found->second;
        Book& book = books_.of(order->symbol);
        if (order->side == Side::buy)
            unqueue(book.bids, order->price, found->second);
        else
            unqueue(book.asks, order->price, found->second);
        orders_.erase(found);
    }

    template <class Levels>
    static void unqueue(Levels& levels, double price, typename Queue::iterator place) {
        const auto level = levels.find(price);
        level->second.erase(place);
        if (level->second.empty()) levels.erase(level);
    }

    Books books_;
    Orders orders_;
    double price_max_;
};

}  // namespace damrak::lab::ladder
