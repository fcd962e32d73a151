#include "serve/market.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include <damrak/exchange/system_time.hpp>
#include <damrak/wire/binary/messages.hpp>

#include "say.hpp"

namespace damrak::app {

DemoMarketThread::DemoMarketThread(LinkSettings door, std::vector<sim::DemoInstrument> instruments)
    : thread_([this, door = std::move(door),
               instruments = std::move(instruments)](const std::stop_token& stop) mutable {
          run(stop, door, std::move(instruments));
          gone_.store(true);
      }) {}

void DemoMarketThread::run(const std::stop_token& stop, const LinkSettings& door,
                           std::vector<sim::DemoInstrument> instruments) {
    constexpr auto k_turn = std::chrono::milliseconds{10};
    constexpr std::int64_t k_farewell_ns = 2'000'000'000;
    constexpr std::uint64_t k_seed = 1;
    sim::DemoMarket market{std::move(instruments), k_seed};
    std::vector<EntryLink> links;
    links.reserve(market.traders());
    for (std::size_t i = 0; i < market.traders(); ++i) links.emplace_back(door);
    bool told = false;
    std::int64_t leave_by_ns = INT64_MAX;
    for (;;) {
        const std::int64_t now_ns = exchange::system_time().value;
        if (stop.stop_requested()) leave_by_ns = std::min(leave_by_ns, now_ns + k_farewell_ns);
        bool left = true;
        for (std::size_t i = 0; i < links.size(); ++i) {
            EntryLink& link = links[i];
            link.do_work(now_ns);
            if (link.state() != EntryLink::State::up) {
                for (const auto& news : link.entry().take_news()) {
                    if (news.kind != client::News::Kind::login_refused) continue;
                    link.refuse(client::reason_of(news, link.entry().version()));
                    if (!std::exchange(told, true))
                        say("demo market  login refused: {}\n", link.trouble());
                }
                continue;
            }
            // Orders of a connection that was lost are out of reach.
            link.entry().forget_unsure();
            if (leave_by_ns == INT64_MAX)
                market.act(i, now_ns, link.entry());
            else
                left = sim::DemoMarket::withdraw(link.entry()) && left;
            link.do_work(now_ns);
        }
        if (leave_by_ns != INT64_MAX && (left || now_ns >= leave_by_ns)) return;
        std::this_thread::sleep_for(k_turn);
    }
}

sim::DemoInstrument demo_instrument(const InstrumentDefinition& definition) {
    constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> k_prices_e2{
        {{"AAPL", 10'000}, {"MSFT", 25'000}, {"SPY", 40'000}, {"TEST", 1'000}}};
    std::uint64_t price_e2 = 10'000;
    for (const auto& [symbol, usual] : k_prices_e2)
        if (definition.symbol.view() == symbol) price_e2 = usual;
    const Price near{static_cast<std::int64_t>(price_e2) * wire::binary::k_price_units};
    const std::int64_t tick = definition.tick_size_at(near).value / wire::binary::k_price_units;
    return {.id = definition.id,
            .price_e2 = price_e2,
            .tick_e2 = static_cast<std::uint64_t>(std::max<std::int64_t>(tick, 1)),
            .lot = static_cast<std::uint64_t>(definition.lot_size.value)};
}

}  // namespace damrak::app
