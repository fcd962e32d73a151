// Passes the order flow of a recorded day to a consumer (order_flow/recorded.hpp) of one
// instrument. The consumer also has
//
//   void seed(InstrumentId, OrderId, Side, Price, Quantity);   an order from before the recording
//
// One thread; what the consumer costs. A LOBSTER file is held in memory, an archived day is not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/market_runs/detail/lobster_day.hpp>
#include <damrak/market_runs/recorded_measures.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/order_flow/lobster_flow.hpp>

namespace damrak::market_runs {

namespace detail {

template <class Consumer>
[[nodiscard]] std::expected<void, std::string> read_lobster(const RecordedDay& recorded,
                                                            std::int64_t end_ns,
                                                            Consumer& consumer) {
    const auto day = load_lobster(recorded);
    if (!day) return std::unexpected{day.error()};
    order_flow::LobsterFlow flow{consumer, recorded.symbol};
    std::unordered_set<std::uint64_t> seeded;
    const auto seed = [&](const convert::SeedOrder& order) {
        if (!seeded.insert(order.order_id).second) return;
        consumer.seed(flow.instrument(), OrderId{order.order_id}, order.side, Price{order.price_e4},
                      Quantity{order.quantity});
    };
    for (const convert::SeedOrder& order : day->before) seed(order);
    for (const lobster::MessageRow& row : day->rows) {
        if (row.time_ns > end_ns) break;
        if (const auto* const order = day->unseen.find(row.order_id)) seed(*order);
        static_cast<void>(flow.on(row));
    }
    return {};
}

template <class Consumer>
[[nodiscard]] std::expected<archive::Completeness, std::string> read_archived(
    const RecordedDay& recorded, std::int64_t end_ns, Consumer& consumer) {
    const auto day = archive::Day::open(recorded.path);
    if (!day) return std::unexpected{day.error()};
    if (day->messages() == 0)
        return std::unexpected{
            day->damage().empty()
                ? fmt::format("{}: the day has no messages", recorded.path.string())
                : fmt::format("{}, so that no message can be read", day->damage().front())};
    const auto instruments = day->instruments();
    const auto found =
        std::ranges::find(instruments, recorded.symbol, &archive::Instrument::symbol);
    if (found == instruments.end())
        return std::unexpected{
            fmt::format("{}: the day has no symbol '{}'; see `damrak archive info`",
                        recorded.path.string(), recorded.symbol)};
    order_flow::ItchFlow<Consumer> flow{consumer, order_flow::Selection{}};
    return archive::for_each_message(
        *day, {.locate = found->locate, .until_ns = end_ns},
        [&](std::uint64_t /*sequence*/, const wire::itch::Message& message) {
            std::visit(
                [&](const auto& m) {
                    if constexpr (requires { flow.on(m); }) static_cast<void>(flow.on(m));
                },
                message);
        });
}

}  // namespace detail

/// Nothing after `end_ns`, and nothing after what is missing. The error is one sentence with the
/// file.
template <class Consumer>
[[nodiscard]] std::expected<archive::Completeness, std::string> read_recorded_day(
    const RecordedDay& day, std::int64_t end_ns, Consumer& consumer) {
    if (!archive::is_lobster(day.path)) return detail::read_archived(day, end_ns, consumer);
    if (auto read = detail::read_lobster(day, end_ns, consumer); !read)
        return std::unexpected{std::move(read.error())};
    return archive::Completeness{};
}

}  // namespace damrak::market_runs
