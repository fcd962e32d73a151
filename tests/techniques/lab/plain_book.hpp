// The plainest book that keeps price-time priority: one vector of orders, searched from end to end.
// What every book of the laboratory is held against.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <damrak/lab/books/action.hpp>

namespace damrak::lab {

class PlainBook {
  public:
    explicit PlainBook(Tape& tape) : tape_(&tape) {}

    void apply(const Action& action) {
        switch (action.kind) {
            case Kind::cancel:
                std::erase_if(orders_, [&](const Action& order) { return order.id == action.id; });
                return;
            case Kind::replace: {
                const auto found = std::ranges::find(orders_, action.id, &Action::id);
                if (found == orders_.end()) return;
                Action entering = action;
                entering.kind = Kind::limit;
                entering.side = found->side;
                orders_.erase(found);
                return enter(entering);
            }
            default:
                return enter(action);
        }
    }

  private:
    // The best order that may trade with this one, the oldest of its price first.
    [[nodiscard]] std::vector<Action>::iterator maker_for(const Action& taker) {
        auto best = orders_.end();
        for (auto at = orders_.begin(); at != orders_.end(); ++at) {
            const bool buys = taker.side == Side::buy;
            const bool reaches = taker.kind == Kind::market ||
                                 (buys ? at->price <= taker.price : at->price >= taker.price);
            if (at->side == taker.side || !reaches) continue;
            if (best == orders_.end() || (buys ? at->price < best->price : at->price > best->price))
                best = at;
        }
        return best;
    }

    void enter(Action taker) {
        while (taker.quantity > 0) {
            const auto maker = maker_for(taker);
            if (maker == orders_.end()) break;
            const std::uint32_t filled = std::min(taker.quantity, maker->quantity);
            tape_->write({taker.id, maker->id, maker->price, filled});
            taker.quantity -= filled;
            maker->quantity -= filled;
            if (maker->quantity == 0) orders_.erase(maker);
        }
        if (taker.kind == Kind::limit && taker.quantity > 0) orders_.push_back(taker);
    }

    std::vector<Action> orders_;
    Tape* tape_;
};

}  // namespace damrak::lab
