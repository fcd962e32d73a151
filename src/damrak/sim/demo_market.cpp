#include <damrak/sim/demo_market.hpp>

#include <utility>

#include <damrak/sim/detail/demo_traders.hpp>

namespace damrak::sim {

using client::OwnOrder;

DemoMarket::DemoMarket(std::vector<DemoInstrument> instruments, std::uint64_t seed)
    : prices_(std::make_unique<detail::ReferencePrices>(std::move(instruments), mix_bits(seed))) {
    constexpr detail::MarketMaker::Style k_tight{
        .half_spread = 1, .spacing = 1, .most_lots = 300, .patience = 1};
    constexpr detail::MarketMaker::Style k_wide{
        .half_spread = 3, .spacing = 2, .most_lots = 1'200, .patience = 2};
    const auto add = [&]<class Trader>(std::string_view name, const auto& style) {
        const std::uint64_t own_seed = mix_bits(seed + traders_.size() + 1);
        traders_.push_back(std::make_unique<Trader>(name, *prices_, own_seed, style));
    };
    add.operator()<detail::MarketMaker>("market maker, tight", k_tight);
    add.operator()<detail::MarketMaker>("market maker, wide", k_wide);
    constexpr std::uint32_t k_requests_per_second = 10;
    add.operator()<detail::NoiseTrader>("noise trader", k_requests_per_second);
    add.operator()<detail::NoiseTrader>("another noise trader", k_requests_per_second);
    add.operator()<detail::TrendFollower>("trend follower", k_requests_per_second);
}

DemoMarket::~DemoMarket() = default;

std::string_view DemoMarket::name(std::size_t trader) const { return traders_[trader]->name(); }

void DemoMarket::act(std::size_t trader, std::int64_t now_ns, client::OrderEntry& entry) {
    prices_->advance(now_ns);
    for (const client::News& news : entry.take_news()) traders_[trader]->hear(news);
    traders_[trader]->act(now_ns, entry);
}

bool DemoMarket::withdraw(client::OrderEntry& entry) {
    static_cast<void>(entry.take_news());
    if (entry.pending() == 0)
        for (const auto& [number, order] : entry.orders())
            if (order.state == OwnOrder::State::open) entry.cancel(number);
    return entry.pending() == 0;
}

}  // namespace damrak::sim
