#include <damrak/auction/detail/call_end.hpp>

#include <algorithm>

namespace damrak::auction {

CallEnd VolatilityCall::on_end(Timestamp now, std::optional<Price> price) {
    if (!price) return CallEnd::no_price;
    if (corridor().contains(*price)) return CallEnd::auction;
    if (stage_ + 1 == terms_.stage_count) return CallEnd::by_hand;
    ++stage_;
    begun_ = now;
    return CallEnd::extended;
}

std::optional<Timestamp> AuctionExtensions::on_end(Timestamp now, const CallBook& book,
                                                   const Equilibrium& found,
                                                   std::optional<Price> reference) {
    const bool market_orders_left =
        std::max(book.market_buys, book.market_sells) > found.executable;
    if (market_orders_left && terms_.for_market_orders > 0) {
        --terms_.for_market_orders;
        return now + terms_.market_order_time;
    }
    const bool far =
        found.price && reference && !terms_.tolerance.around(*reference).contains(*found.price);
    if (far && terms_.for_price > 0) {
        --terms_.for_price;
        return now + terms_.price_time;
    }
    return std::nullopt;
}

}  // namespace damrak::auction
