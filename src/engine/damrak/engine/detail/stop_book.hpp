// Waiting orders of one instrument: pending stops by stop price, dependent orders, which wait until
// another one is filled, and elected orders in the order of their election. Same ladders and queues
// as the order book. One thread; O(1) near the market, no scan. Checking that a trade reaches no
// stop costs two compares.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include <damrak/book/book_store.hpp>
#include <damrak/book/order_book.hpp>

namespace damrak {

class StopBook {
  public:
    /// Queues a stop; its tick is its stop price.
    void add(BookStore& store, OrderIndex index, std::uint64_t arrival) {
        Order& order = store.order(index);
        const Side side = order.terms().side();
        const LevelIndex level = ladder(side).find_or_insert(
            store.nodes, price_key(opposite(side), order.tick), [&] { return make_level(store); });
        order.set_arrival(arrival);
        link_back(store, level, index);
    }

    void remove(BookStore& store, OrderIndex index) {
        const Order& order = store.order(index);
        const LevelIndex level = order.level;
        unlink(store, index);
        if (store.level(level).count > 0) return;
        if (level == elected_) {
            elected_ = 0;
        } else if (level == dependent_) {
            dependent_ = 0;
        } else {
            const Side side = order.terms().side();
            ladder(side).erase(store.nodes, price_key(opposite(side), order.tick));
        }
        store.level_pool.give_back(level);
    }

    /// Elects the stops that a trade at this price reaches: buys from the lowest stop price, sells
    /// from the highest, then by arrival. Calls `f(index)` before and after each is moved.
    template <class Before, class After>
    void elect(BookStore& store, Tick last, Before&& before, After&& after) {
        for (const Side side : {Side::buy, Side::sell}) {
            while (ladder(side).best_key() <= price_key(opposite(side), last)) {
                const OrderIndex index = store.level(ladder(side).best_level()).head;
                before(index);
                elect(store, index);
                after(index);
            }
        }
    }
    /// Moves one order to the end of the elected ones.
    void elect(BookStore& store, OrderIndex index) {
        remove(store, index);
        if (elected_ == 0) elected_ = make_level(store);
        link_back(store, elected_, index);
    }
    void add_dependent(BookStore& store, OrderIndex index, std::uint64_t arrival) {
        if (dependent_ == 0) dependent_ = make_level(store);
        store.order(index).set_arrival(arrival);
        link_back(store, dependent_, index);
    }
    /// Whether a trade at this price reaches any stop.
    [[nodiscard]] bool reaches(Tick last) const {
        return ladders_[0].best_key() <= price_key(Side::sell, last) ||
               ladders_[1].best_key() <= price_key(Side::buy, last);
    }

    /// The queue of elected stops, or zero.
    [[nodiscard]] LevelIndex elected() const { return elected_; }
    /// The stop elected first, or zero.
    [[nodiscard]] OrderIndex first_elected(const BookStore& store) const {
        return elected_ == 0 ? 0 : store.level(elected_).head;
    }

    /// Pending buys, pending sells, dependent, elected: `f(OrderIndex)` for each until it returns
    /// false. `f` may remove the order it is called for.
    template <class F>
    bool for_each(const BookStore& store, F&& f) const {
        for (const PriceLadder& ladder : ladders_) {
            for (auto at = ladder.best(); at.level != 0;) {
                const auto after = ladder.next(store.nodes, at.key);
                if (!for_each_in_queue(store, at.level, f)) return false;
                at = after;
            }
        }
        return (dependent_ == 0 || for_each_in_queue(store, dependent_, f)) &&
               (elected_ == 0 || for_each_in_queue(store, elected_, f));
    }

  private:
    PriceLadder& ladder(Side side) { return ladders_[static_cast<std::size_t>(side)]; }

    static LevelIndex make_level(BookStore& store) {
        const LevelIndex level = store.level_pool.take();
        store.level(level) = {};
        return level;
    }

    LevelIndex elected_ = 0;  // first, because every order checks for elected stops
    LevelIndex dependent_ = 0;
    std::array<PriceLadder, 2> ladders_;  ///< buys, sells; the next stop to be reached is the best
};

}  // namespace damrak
