#include <damrak/participants/detail/quotes.hpp>

namespace damrak::participants::detail {

using market_kernel::MarketAccess;
using market_kernel::Report;

void Quotes::want(Side side, std::size_t level, const WantedQuote& quote) {
    Level& changed = sides_[static_cast<std::size_t>(side)][level];
    changed.wanted = quote;
    changed.is_new = true;
}

void Quotes::pursue(MarketAccess& access) {
    for (const Side side : {Side::buy, Side::sell})
        for (Level& level : sides_[static_cast<std::size_t>(side)]) pursue(access, side, level);
}

bool Quotes::could_meet_own(const MarketAccess& access, Side side, Price price) const {
    const auto meets = [side, price](Price other) {
        return side == Side::buy ? price >= other : price <= other;
    };
    for (const Level& level : sides_[static_cast<std::size_t>(opposite(side))]) {
        const auto* const order = access.order(level.order);
        if (order == nullptr) continue;
        if (meets(order->price) || (level.is_under_way && meets(level.asked))) return true;
    }
    return false;
}

void Quotes::pursue(MarketAccess& access, Side side, Level& level) {
    if (!level.is_new || level.is_under_way) return;
    const WantedQuote& wanted = level.wanted;
    const auto* const order = access.order(level.order);
    if (order == nullptr && wanted.quantity.value == 0) {
        level.is_new = false;
        return;
    }
    if (order != nullptr && wanted.quantity.value == 0) {
        level.asked = order->price;
        level.is_under_way = access.cancel(level.order);
        level.is_new = false;
        return;
    }
    if (order != nullptr && order->price == wanted.price && order->open == wanted.quantity) {
        level.is_new = false;
        return;
    }
    if (could_meet_own(access, side, wanted.price)) return;
    level.is_new = false;
    level.asked = wanted.price;
    if (order != nullptr) {
        level.is_under_way = access.replace(level.order, wanted.price, wanted.quantity);
        return;
    }
    level.order = access.enter({.instrument = instrument_,
                                .side = side,
                                .post_only = true,
                                .price = wanted.price,
                                .quantity = wanted.quantity});
    level.is_under_way = static_cast<bool>(level.order);
}

void Quotes::on_report(MarketAccess& access, const Report& report) {
    for (Level& level : sides_[static_cast<std::size_t>(report.order.side)]) {
        if (level.order != report.order.handle) continue;
        const bool is_done = report.order.state == market_kernel::OwnOrder::State::done;
        const bool is_answer = report.kind == Report::Kind::accepted ||
                               report.kind == Report::Kind::replaced ||
                               report.kind == Report::Kind::change_rejected;
        if (is_done) level.order = {};
        if (is_done || is_answer) level.is_under_way = false;
    }
    pursue(access);
}

std::int64_t Quotes::resting_at(const MarketAccess& access, Side side, Price price) const {
    std::int64_t sum = 0;
    for (const Level& level : sides_[static_cast<std::size_t>(side)]) {
        const auto* const order = access.order(level.order);
        if (order != nullptr && order->state == market_kernel::OwnOrder::State::open &&
            order->price == price)
            sum += order->open.value;
    }
    return sum;
}

}  // namespace damrak::participants::detail
