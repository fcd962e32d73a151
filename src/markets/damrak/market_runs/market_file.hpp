// A populated market as a file says it: instruments, the exchange, groups of participants, and what
// happens when. TOML; every key has a default or is asked for by name, and a mistake is one line
// with the place and what is allowed (docs/reference/market-file.md).
//
//   const auto file = market_runs::read_market_file("market.toml");   // or why not
//   market_kernel::Market market{market_runs::make_setup(*file, seed)};
//
// At set-up only.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/market_kernel/market_setup.hpp>
#include <damrak/measures/obligation.hpp>
#include <damrak/participants/kind.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::market_runs {

/// An instrument of a market file.
struct InstrumentDescription {
    InstrumentDefinition definition{};
    market_kernel::FundamentalDescription fundamental{};
    bool is_of_venue = false;  ///< a combination of the venue, which the file does not describe
};

/// A group of participants of one kind.
struct GroupDescription {
    std::string name;
    const participants::Kind* kind = nullptr;
    std::uint32_t count = 1;
    std::vector<InstrumentId> instruments;
    participants::ParameterValues parameters;
    market_kernel::Connection connection{};
    std::string place;  ///< of the connection; empty: none
    std::uint32_t maximum_orders = 10'000;
    /// Of an event of the timeline that trades; these come last. Empty: the file has the group.
    std::optional<std::int64_t> event_at_ns{};
};

/// Other rules of an instrument for a while.
struct RuleChange {
    InstrumentId instrument{};
    venue::Rules during{};
    venue::Rules usual{};
};

/// Something that happens at a time, and may end after a while.
struct TimelineEntry {
    enum class Kind : std::uint8_t {
        halt,  ///< of `instrument`, or of all
        news,  ///< the fundamental value of `instrument` or of all moves by `value` (a log return)
        disconnect,    ///< of `group`
        data_outage,   ///< of `group`
        latency,       ///< all latencies of `group` times `value`
        service_time,  ///< of the exchange: `time_ns`
        taker_bump,    ///< of the exchange: `time_ns`
        limits,        ///< before trading, of `group` or of all: `limits`
        rules,         ///< of `instrument` or of all change: `changes`
        auction,       ///< a call of `instrument` or of all, and its auction by `auction`
        // What trades is a participant of its own, in the group of the name `group`:
        sell_programme,
        fat_finger,
        quote_stuffing,
    };
    Kind kind{};
    std::int64_t at_ns = 0;                ///< since the beginning
    std::optional<std::int64_t> for_ns{};  ///< empty: until the end
    InstrumentId instrument{};             ///< zero: all
    std::string group;
    double value = 0;
    std::int64_t time_ns = 0;
    LimitDetails limits{};
    AuctionRule auction{};
    std::vector<RuleChange> changes;
    std::string rules_text;  ///< as TOML
};
[[nodiscard]] std::string_view name_of(TimelineEntry::Kind kind);
[[nodiscard]] constexpr bool trades(TimelineEntry::Kind kind) {
    return kind >= TimelineEntry::Kind::sell_programme;
}

/// How the others of a recorded day answer to own orders (what_if/detail/reaction.hpp).
struct ReactionDescription {
    std::int64_t recovery_ns = 10'000'000'000;  ///< after which all but 1/e of a change is answered
    std::int64_t interval_ns = 100'000'000;     ///< between answers
    std::int64_t levels = 10;                   ///< of each side of the record, from the best on
};

/// What a market file does not say where a recorded day does.
struct GivenMarket {
    InstrumentDescription instrument{};
    std::int64_t duration_ns = 0;
};

struct MarketFile {
    std::string name;
    std::string about;  ///< what to look at
    std::int64_t duration_ns = 0;
    std::uint64_t seed = 1;
    market_kernel::OnFault on_fault = market_kernel::OnFault::stop;
    market_kernel::ExchangeModel exchange{};
    std::string venue_name;                     ///< empty: continuous trading
    std::shared_ptr<const venue::Venue> venue;  ///< as read from `venue_name`
    std::int64_t begin_ns = 10 * k_hour_ns;     ///< of a venue: time of day in its zone
    std::int64_t value_step_ns = market_kernel::Fundamentals::k_step_ns;
    std::vector<market_kernel::FactorDescription> factors;
    std::vector<InstrumentDescription> instruments;
    std::vector<GroupDescription> groups;
    std::vector<measures::Obligation> obligations;
    std::vector<TimelineEntry> timeline;
    std::optional<ReactionDescription> reaction{};  ///< only for a recorded day

    /// Another duration than the file's: what its timeline has after the end is dropped.
    void set_duration(std::int64_t ns);
    [[nodiscard]] std::uint32_t participants() const;
    [[nodiscard]] const GroupDescription* find_group(std::string_view group) const;
    /// Zero: there is none.
    [[nodiscard]] InstrumentId find_instrument(std::string_view symbol) const;
};

/// With `given`: participants for a recorded day. The file has no instruments, may have no groups,
/// and lasts as long as the day unless it is shorter.
[[nodiscard]] std::expected<MarketFile, std::string> read_market_file(
    const std::filesystem::path& path, const GivenMarket* given = nullptr);
/// `where` names the text in messages. Groups may also be of the kinds `own`, which must outlive
/// the file.
[[nodiscard]] std::expected<MarketFile, std::string> parse_market_file(
    std::string_view text, std::string_view where, const GivenMarket* given = nullptr,
    std::span<const participants::Kind* const> own = {});

/// Whether the file has participants or a reaction, but leaves the instrument to a recorded day.
[[nodiscard]] std::expected<bool, std::string> is_for_recorded_day(
    const std::filesystem::path& path);

/// Everything that the file leaves to defaults, too, as a market file with comments. Two files with
/// equal descriptions give equal runs.
[[nodiscard]] std::string describe(const MarketFile& file);
/// Of the description and the version of the program, without the seed: what identifies a market.
[[nodiscard]] std::uint64_t identity_of(const MarketFile& file);

/// The same participants on other instruments: those of an exchange that runs. A description is
/// kept by its symbol; an instrument without one is worth 100. Groups trade those of their
/// instruments that are left, and a group that traded all of them trades all.
[[nodiscard]] MarketFile with_instruments(MarketFile file,
                                          const std::vector<InstrumentDefinition>& instruments);

/// When virtual time begins.
[[nodiscard]] Timestamp begin_of(const MarketFile& file);
[[nodiscard]] market_kernel::MarketSetup make_setup(const MarketFile& file, std::uint64_t seed);

}  // namespace damrak::market_runs
