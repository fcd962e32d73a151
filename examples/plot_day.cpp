// A day as a picture: order flow from a seed, the books that it makes, and the chart of one symbol.
//
//   build/release/examples/plot_day      writes plot_day.svg
#include <variant>

#include <fmt/format.h>

#include <damrak/generator/itch_day.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/replay/day_plot.hpp>
#include <damrak/replay/market_statistics.hpp>
#include <damrak/wire/itch/walk.hpp>

int main() {
    using namespace damrak;
    auto day = generator::ItchDay::create({.messages = 200'000,
                                           .symbols = 1,
                                           .live_orders = 2'000,
                                           .shape = generator::FlowShape::crash});
    if (!day) {
        fmt::print(stderr, "{}\n", day.error());
        return 1;
    }

    // The feed's messages build books; an observer of the books collects the chart's data.
    using Books = order_flow::BookBuilder<replay::MarketStatistics>;
    Books books{Books::k_first_capacity,
                replay::MarketStatistics{{.depth_levels = 10, .series = true}}};
    order_flow::ItchFlow flow{books, order_flow::Selection{}};
    const auto show = [&]<class M>(const M& message) {
        if constexpr (wire::itch::Takes<decltype(flow), M>) flow.on(message);
    };
    for (;;) {
        const auto& published = day->next();
        if (published.empty()) break;
        for (const auto& message : published) std::visit(show, message);
    }

    const auto& series = books.observer().instruments().front().series;
    if (!series) return 1;
    if (const auto written = replay::write_day_plot("plot_day.svg", *series); !written) {
        fmt::print(stderr, "{}\n", written.error());
        return 1;
    }
    fmt::print("{} trades of {} in plot_day.svg\n", day->trades(), series->symbol());
    return 0;
}
