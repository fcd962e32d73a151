// Passes the order flow of a recorded day to a consumer (order_flow/recorded.hpp) of one
// instrument. One thread; what the consumer costs, in bounded memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/convert/lobster_day.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/market_runs/recorded_measures.hpp>
#include <damrak/order_flow/itch_flow.hpp>

namespace damrak::market_runs {

namespace detail {

/// Passes a message to the flow, which ignores the kinds that it does not use.
template <class Flow>
void pass(Flow& flow, const wire::itch::Message& message) {
    std::visit(
        [&](const auto& m) {
            if constexpr (requires { flow.on(m); }) static_cast<void>(flow.on(m));
        },
        message);
}

template <class Consumer>
[[nodiscard]] std::expected<archive::Answer<archive::DayDepth>, std::string> read_lobster(
    const RecordedDay& recorded, std::int64_t end_ns, Consumer& consumer) {
    auto day = convert::LobsterDay::open({recorded.path, recorded.lobster_book}, recorded.symbol);
    if (!day) return std::unexpected{day.error()};
    order_flow::ItchFlow<Consumer> flow{consumer, {.symbol = {}, .until_ns = end_ns}};
    while (!flow.past_end()) {
        const auto more =
            day->next([&](const wire::itch::Message& message) { pass(flow, message); });
        if (!more) return std::unexpected{more.error()};
        if (!*more) break;
    }
    if constexpr (requires { consumer.reach(end_ns); })
        if (flow.past_end()) consumer.reach(end_ns);
    return archive::Answer<archive::DayDepth>{.value = archive::depth_of(*day)};
}

template <class Consumer>
[[nodiscard]] std::expected<archive::Answer<archive::DayDepth>, std::string> read_archived(
    const RecordedDay& recorded, std::int64_t end_ns, Consumer& consumer) {
    const auto day = archive::Day::open(recorded.path);
    if (!day) return std::unexpected{day.error()};
    if (const auto why = archive::why_no_book(day->depth()); !why.empty())
        return std::unexpected{fmt::format("{}: {}", recorded.path.string(), why)};
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
    auto broken = archive::broken_trades(*day);
    order_flow::ItchFlow<Consumer> flow{consumer,
                                        {.broken = std::move(broken.value), .marks = day->marks()}};
    auto read =
        archive::for_each_message(*day, {.locate = found->locate, .until_ns = end_ns},
                                  [&](std::uint64_t /*sequence*/,
                                      const wire::itch::Message& message) { pass(flow, message); });
    read.add(broken.completeness);
    if constexpr (requires { consumer.reach(end_ns); })
        if (read.is_complete() && day->last_time_ns() > end_ns) consumer.reach(end_ns);
    return archive::Answer<archive::DayDepth>{.value = day->depth(), .completeness = read};
}

}  // namespace detail

/// Nothing after `end_ns`, and nothing after what is missing. A consumer with `reach(time)` learns
/// where it ends if the day continues. Returns what the day shows of the book; a day without one is
/// refused. The error is one sentence with the file.
template <class Consumer>
[[nodiscard]] std::expected<archive::Answer<archive::DayDepth>, std::string> read_recorded_day(
    const RecordedDay& day, std::int64_t end_ns, Consumer& consumer) {
    const auto kind = files::day_kind(day.path);
    if (!kind) return std::unexpected{kind.error()};
    return *kind == files::DayKind::lobster ? detail::read_lobster(day, end_ns, consumer)
                                            : detail::read_archived(day, end_ns, consumer);
}

}  // namespace damrak::market_runs
