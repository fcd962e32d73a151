// Reports of `damrak replay`: tables for people, one JSON object for programs.
#pragma once

#include <nlohmann/json.hpp>

#include <damrak/replay/lobster_verify.hpp>
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

struct VerificationResult {
    const ReplayOptions& options;
    const Reading& reading;
    std::size_t message_rows{};
    std::size_t book_rows{};
    std::size_t levels{};
    const replay::LobsterVerification& verification;
};

[[nodiscard]] nlohmann::ordered_json to_json(const VerificationResult& result);
void print_tables(const VerificationResult& result);

/// Instruments with the most messages first, as indices into the statistics.
[[nodiscard]] std::vector<std::size_t> busiest_first(const replay::MarketStatistics& statistics);

/// 5853300 as "585.33", 12345 as "1.2345".
[[nodiscard]] std::string price_text(Price price);
/// Nanoseconds since midnight as "09:30:00.004241176", with `decimals` decimals.
[[nodiscard]] std::string time_text(std::int64_t time_ns, int decimals);

}  // namespace damrak::app
