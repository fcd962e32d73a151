#include <damrak/engine/detail/next_trade.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

namespace {

bool has_own_to_meet(const EngineState& engine, const Seeker& seeker) {
    const auto side = static_cast<std::size_t>(opposite(seeker.side));
    return seeker.rule != SelfTradePrevention::none &&
           engine.accounts.account(seeker.account).open_orders[side] > 0;
}

// An order on its way along the other side, without consequences.
class Search {
  public:
    Search(const EngineState& engine, const Seeker& seeker)
        : engine_{engine}, seeker_{seeker}, open_{seeker.open} {}

    [[nodiscard]] NextTrade run() {
        const OrderBook& book = seeker_.in->book;
        const Side resting = opposite(seeker_.side);
        const auto open = [&] { return open_; };
        const auto next_aside = [&](AsideOrders::Place behind) {
            return book.aside(resting).first(engine_.store, behind, open_);
        };
        OrderIndex aside = next_aside({});
        for (auto at = book.side(resting).best();;) {
            const PriceKey aside_at = aside_key(engine_, aside);
            const PriceKey key = std::min(at.key, aside_at);
            if (key > seeker_.limit) return {};
            const Quantity had = open_;
            const LevelIndex hidden = at.key == key ? engine_.store.level(at.level).companion : 0;
            const bool goes_on =
                (at.key != key || visit_queue(at.level)) &&
                ((hidden == 0 && aside_at != key) ||
                 for_each_undisplayed(engine_, book, resting, key, hidden, open,
                                      [&](OrderIndex index) { return visit(index); }));
            if (trades_) return {.key = key};
            if (!goes_on || passed_own_) return {.at_own = passed_own_};
            // One that is further away stays the next one.
            if (aside_at == key || open_ != had)
                aside = next_aside({key, std::numeric_limits<std::uint64_t>::max()});
            at = book.side(resting).next(engine_.store.nodes, key);
        }
    }

  private:
    [[nodiscard]] bool is_own(OrderIndex index) const {
        return engine_.store.order(index).account == seeker_.account;
    }
    // Where orders share, own ones are met first.
    bool visit_queue(LevelIndex queue) {
        if (!seeker_.in->shares())
            return for_each_in_queue(engine_.store, queue, [&](OrderIndex i) { return visit(i); });
        const auto visit_those = [&](bool own) {
            return for_each_in_queue(engine_.store, queue, [&](OrderIndex index) {
                return is_own(index) != own || visit(index);
            });
        };
        return visit_those(true) && visit_those(false);
    }
    // False where it trades or ends.
    bool visit(OrderIndex index) {
        const Order& met = engine_.store.order(index);
        trades_ = !is_own(index);
        if (trades_) return false;
        switch (seeker_.rule) {
            case SelfTradePrevention::cancel_newest:
            case SelfTradePrevention::cancel_both:
                return false;
            case SelfTradePrevention::decrement_and_cancel:
                open_ -= std::min(open_, open_of(engine_, met));
                return open_.value > 0;
            case SelfTradePrevention::skip_own:
                passed_own_ |= !met.terms().has(OrderAttributes::k_held);
                return true;
            case SelfTradePrevention::none:
            case SelfTradePrevention::cancel_oldest:
                break;
        }
        return true;
    }

    const EngineState& engine_;
    const Seeker& seeker_;
    Quantity open_;
    bool trades_ = false;
    bool passed_own_ = false;
};

}  // namespace

Seeker seeker_of(const Incoming& order) {
    return {.in = order.in,
            .side = order.terms.side(),
            .rule = order.terms.self_trade_prevention(),
            .account = order.account,
            .open = order.open,
            .limit = order.own_key};
}

NextTrade next_trade(const EngineState& engine, const Seeker& seeker) {
    if (has_own_to_meet(engine, seeker)) return Search{engine, seeker}.run();
    const PriceKey best = touch(engine, *seeker.in, opposite(seeker.side), seeker.open);
    return {.key = best <= seeker.limit ? best : k_no_price};
}

}  // namespace damrak::detail
