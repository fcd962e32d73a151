// The simplest possible exchange: one list of open orders in order of arrival, searched linearly
// for the best one. Every variant of the experiment is compared with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

class PlainExchange {
  public:
    explicit PlainExchange(const Setup& setup) : setup_(setup) {}

    template <class Sink>
    void apply(const Request& request, Sink& sink) {
        const Refusal refusal = check(request);
        if (refusal != Refusal::none) return sink.refused(text_of(refusal));
        Request taker = request;
        if (request.op == Op::cancel || request.op == Op::replace) {
            const auto found = find(request.id);
            taker.side = found->side;
            open_.erase(found);
            if (request.op == Op::cancel) return;
        }
        while (taker.quantity > 0) {
            const auto best = best_for(taker);
            if (best == open_.end()) break;
            const std::uint32_t filled = std::min(taker.quantity, best->quantity);
            sink.trade(Trade<std::int32_t>{taker.id, best->id, best->price_ticks, filled});
            taker.quantity -= filled;
            best->quantity -= filled;
            if (best->quantity == 0) open_.erase(best);
        }
        if (taker.quantity > 0 && taker.op != Op::market && !taker.ioc) open_.push_back(taker);
    }

    [[nodiscard]] const std::vector<Request>& open() const { return open_; }

  private:
    [[nodiscard]] std::vector<Request>::iterator find(std::uint64_t id) {
        return std::ranges::find(open_, id, &Request::id);
    }
    [[nodiscard]] Refusal check(const Request& request) {
        const bool exists = find(request.id) != open_.end();
        if (request.op == Op::cancel) return exists ? Refusal::none : Refusal::unknown;
        if (request.quantity == 0) return Refusal::invalid_quantity;
        if (request.op != Op::market &&
            (request.price_ticks < 1 || request.price_ticks > setup_.price_max_ticks))
            return Refusal::invalid_price;
        if (request.op == Op::replace) return exists ? Refusal::none : Refusal::unknown;
        return exists ? Refusal::duplicate_id : Refusal::none;
    }
    // The best order with which it may trade; of equal ones the first.
    [[nodiscard]] std::vector<Request>::iterator best_for(const Request& taker) {
        auto best = open_.end();
        for (auto it = open_.begin(); it != open_.end(); ++it) {
            if (it->symbol != taker.symbol || it->side == taker.side) continue;
            const bool buys = taker.side == Side::buy;
            const bool meets =
                taker.op == Op::market || (buys ? it->price_ticks <= taker.price_ticks
                                                : it->price_ticks >= taker.price_ticks);
            if (!meets) continue;
            if (best == open_.end() ||
                (buys ? it->price_ticks < best->price_ticks : it->price_ticks > best->price_ticks))
                best = it;
        }
        return best;
    }

    Setup setup_;
    std::vector<Request> open_;
};

}  // namespace damrak::lab::ladder
