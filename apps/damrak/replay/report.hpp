// Reports of `damrak replay`: tables for people, one JSON object for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <damrak/replay/market_statistics.hpp>
#include <damrak/replay/rematch.hpp>

#include "replay/options.hpp"
#include "replay/reading.hpp"

namespace damrak::app {

/// All that a run made; `rematch` is null in build mode.
struct ReplayResult {
    const ReplayOptions& options;
    RecordingFormat format{};
    const Reading& reading;
    const order_flow::BookBuilder<replay::MarketStatistics>& books;
    const replay::RematchReport* rematch = nullptr;
};

[[nodiscard]] nlohmann::ordered_json to_json(const ReplayResult& result);
void print_tables(const ReplayResult& result);

/// The rows of a LOBSTER pair, after it was read.
struct VerificationResult {
    const ReplayOptions& options;
    const Reading& reading;
    const convert::LobsterDay& day;
};

[[nodiscard]] nlohmann::ordered_json to_json(const VerificationResult& result);
void print_tables(const VerificationResult& result);

/// Weighted by time, so nothing where books are known only at instants.
[[nodiscard]] inline auto known_spread(const Reading& reading,
                                       const replay::InstrumentStatistics& statistics) {
    auto spread = statistics.spread.summary();
    if (reading.depth.has(archive::DayDepth::k_instants_only)) spread.reset();
    return spread;
}

/// Whether the book is still known after the last message.
[[nodiscard]] inline bool has_last_book(const ReplayResult& result) {
    return archive::why_not_known(result.reading.depth, result.books.observer().last_ns()).empty();
}
/// Levels to show of that book.
[[nodiscard]] inline std::size_t last_levels(const ReplayResult& result) {
    const int known = levels_known(result.reading.depth, result.options.depth);
    return has_last_book(result) ? static_cast<std::size_t>(std::max(known, 0)) : 0;
}

/// Best first, at most `most`: whether a level has anonymous quantity, so that the number of its
/// orders is not known.
[[nodiscard]] std::vector<bool> anonymous_levels(
    const order_flow::BookBuilder<replay::MarketStatistics>& books, InstrumentId id, Side side,
    std::size_t most);

/// Instruments with the most messages first, as indices into the statistics.
[[nodiscard]] std::vector<std::size_t> busiest_first(const replay::MarketStatistics& statistics);

/// 5853300 as "585.33", 12345 as "1.2345".
[[nodiscard]] std::string price_text(Price price);
/// Nanoseconds since midnight as "09:30:00.004241176", with `decimals` decimals.
[[nodiscard]] std::string time_text(std::int64_t time_ns, int decimals);

}  // namespace damrak::app
