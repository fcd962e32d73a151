// Orders of participants that make the whole flow of a market. One such participant stands for many
// traders, so its orders trade with each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants::detail {

inline market_kernel::OrderHandle flow_limit(market_kernel::MarketAccess& access, InstrumentId id,
                                             Side side, Price price, std::int64_t quantity) {
    return access.enter({.instrument = id,
                         .side = side,
                         .self_trade_prevention = SelfTradePrevention::none,
                         .price = price,
                         .quantity = {quantity}});
}

inline void flow_market(market_kernel::MarketAccess& access, InstrumentId id, Side side,
                        std::int64_t quantity) {
    access.enter({.instrument = id,
                  .side = side,
                  .type = OrderType::market,
                  .time_in_force = TimeInForce::ioc,
                  .self_trade_prevention = SelfTradePrevention::none,
                  .quantity = {quantity}});
}

/// This many ticks from the best price of the other side; where it has none, from the reference
/// price.
[[nodiscard]] inline Price from_opposite(market_kernel::MarketAccess& access, InstrumentId id,
                                         Side side, std::int64_t ticks) {
    const views::PublicChange& view = access.view(id);
    const bool has_best = side == Side::buy ? view.has_ask() : view.has_bid();
    const auto best = static_cast<double>(side == Side::buy ? view.ask.value : view.bid.value);
    const auto away = static_cast<double>(ticks * tick_of(access, id));
    const double from = has_best ? best : reference_price(access, id);
    return on_tick(side == Side::buy ? from - away : from + away, access.definition(id), side);
}

/// Own orders that rest, or are on the way, in the order in which they were sent.
class OpenOrders {
  public:
    void add(market_kernel::OrderHandle order) {
        if (order) orders_.push_back(order);
    }
    void on_report(const market_kernel::Report& report) {
        if (report.order.state == market_kernel::OwnOrder::State::done)
            std::erase(orders_, report.order.handle);
    }
    [[nodiscard]] const std::vector<market_kernel::OrderHandle>& all() const { return orders_; }

  private:
    std::vector<market_kernel::OrderHandle> orders_;
};

}  // namespace damrak::participants::detail
