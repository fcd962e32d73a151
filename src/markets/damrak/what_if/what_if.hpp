// A recorded day with participants of our own in it: the record's orders and trades are commands of
// one background participant, without latency, and the participants of a market file trade beside
// it in the same engine. docs/how-to/what-if.md has the rules.
//
//   const auto day = what_if::open_day({.file = "day.dar"});
//   const auto file = market_runs::read_market_file("twap.toml", &day->given);
//   const auto result = what_if::run(*day, *file, {.seed = 7});
//
// The same day, file and seed give the same result on every machine. One thread; about a
// microsecond a message.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/modify/modification.hpp>
#include <damrak/modify/report.hpp>
#include <damrak/recorded_market/drift.hpp>
#include <damrak/recorded_market/recorded_messages.hpp>
#include <damrak/what_if/detail/drift_meter.hpp>
#include <damrak/what_if/detail/own_trading.hpp>
#include <damrak/what_if/detail/reaction.hpp>

namespace damrak::what_if {

/// The recorded day in which participants trade.
struct DaySource {
    std::filesystem::path file{};    ///< an archived day, or any format that can be imported
    std::filesystem::path folder{};  ///< for the archived day made from another format
    std::string symbol{};            ///< empty: the day has only one
    std::int64_t from_ns = 0;        ///< since midnight; zero: from the first message
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    std::int64_t tick = 100;      ///< for the participants, in price units; the record may be finer
    bool trust_messages = false;  ///< a LOBSTER message file without its order book file
    std::optional<modify::Modification> modification{};  ///< of the day, before anything else
};

/// A part of a recorded day, open for replays.
struct OpenDay {
    std::unique_ptr<archive::Day> day;
    std::uint16_t locate = 0;
    recorded_market::Window window{};
    std::int64_t begin_ns = 0;                 ///< since midnight
    std::int64_t midnight_ns = 0;              ///< of its date, UTC
    market_runs::GivenMarket given{};          ///< for the market file
    std::optional<modify::Changes> changes{};  ///< of the day by its modification
};

/// The error is one sentence.
[[nodiscard]] std::expected<OpenDay, std::string> open_day(const DaySource& source);

/// How a day is run, and what is kept.
struct Options {
    std::uint64_t seed = 1;
    /// A hundred times: share done, messages so far.
    std::function<void(double, std::uint64_t)> progress{};
    /// Ends the replay early when it returns true; asked as often as progress.
    std::function<bool()> stop{};
    std::vector<market_kernel::MarketWatcher*> watchers{};
    /// After the messages of each recorded time, with the market and its record.
    std::function<void(const market_kernel::Market&, const RecordedMarket&)> compare{};
};

/// The outcome of a run.
struct Result {
    std::uint64_t hash = 0;  ///< over all events and the final state
    market_kernel::MarketCounts counts{};
    double cpu_s = 0;          ///< of the thread; no part of the result
    bool is_complete = false;  ///< neither stopped early nor ended by a gap in the record
    archive::Completeness completeness{};  ///< of the record
    std::uint64_t recorded_messages = 0;
    std::uint64_t recorded_trades = 0;
    recorded_market::DriftCounts drift{};
    bool has_acted = false;            ///< an own participant has sent a message
    std::int64_t first_action_ns = 0;  ///< since midnight
    DriftStretch distance{};           ///< since then
    std::vector<DriftStretch> series;
    std::vector<GroupTrading> groups;
    std::optional<ReactionCounts> reaction;  ///< empty: the file has none
    std::vector<std::string> faults;         ///< of participants, in words
};

/// The file is one that was read with the day's `given`. An error is one of the day's file.
[[nodiscard]] std::expected<Result, std::string> run(const OpenDay& day,
                                                     const market_runs::MarketFile& file,
                                                     const Options& options = {});

}  // namespace damrak::what_if
