// A venue: the sessions of its day and the rules of its instruments, as a venue file describes them
// (venue/venue_file.hpp; docs/reference/venue-file.md). Plain data, made at start.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/fees.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::venue {

/// Bits of weekdays, Monday first.
using Weekdays = std::uint8_t;
inline constexpr Weekdays k_all_days = 0x7F;

/// A part of the day, from its begin to that of the next session.
/// Words of a venue file for the bits of PhaseRestrictions, in their order.
inline constexpr std::array<std::string_view, 4> k_restriction_names{
    "market_auction_orders", "limit_auction_orders", "auction_order_changes", "changes"};

/// A session of the timetable: what happens, on which days, and when.
struct TradingSession {
    std::string name;
    std::int64_t at_ns = 0;  ///< begin, after midnight of the zone
    Weekdays days = k_all_days;
    Phase phase{};
    CallKind call{};                       ///< of a call
    std::optional<AuctionRule> auction{};  ///< of this call, or of those begun in this session
    bool sealed = false;                   ///< of a call
    bool continues = false;                ///< the next stage of the call of the session before
    std::int64_t random_end_ns = 0;        ///< a call ends up to this much later
    std::int64_t interval_ns = 0;          ///< a new call begins each time; zero: never
    PhaseRestrictions::Bits refuses = 0;
    friend bool operator==(const TradingSession&, const TradingSession&) = default;
};

/// A part of a price, and at least an amount in billionths of the currency.
struct Margin {
    std::uint32_t basis_points = 0;
    std::int64_t at_least = 0;
    [[nodiscard]] bool exists() const { return basis_points != 0 || at_least != 0; }
    friend bool operator==(const Margin&, const Margin&) = default;
};

/// Price limits; margins are distances from a reference price.
struct Limits {
    Margin dynamic_corridor{};
    Margin static_corridor{};
    Margin market_collar{};
    Margin entry_limit{};
    Margin auction_corridor{};
    OnBreach on_breach{};
    OnOwnCross on_own_cross{};
    bool refuse_reached_stops = false;
    friend bool operator==(const Limits&, const Limits&) = default;
};

/// How long a call lasts that a price outside a corridor began.
struct Interruption {
    std::int64_t minimum_ns = 120 * k_second_ns;
    std::int64_t random_end_ns = 0;
    std::uint32_t extensions = 0;  ///< how often it lasts as long again
    Margin widening{};             ///< of the auction corridor, at each extension
    friend bool operator==(const Interruption&, const Interruption&) = default;
};

/// How often a call is extended instead of its auction, and for how long each time.
struct Extensions {
    std::uint32_t for_price = 0;  ///< the price would be outside the auction corridor
    std::int64_t price_time_ns = 300 * k_second_ns;
    std::uint32_t for_market_orders = 0;  ///< some would not trade whole
    std::int64_t market_order_time_ns = 300 * k_second_ns;
    Margin widening{};  ///< of the auction corridor, at each extension for the price
    [[nodiscard]] bool exist() const { return for_price != 0 || for_market_orders != 0; }
    friend bool operator==(const Extensions&, const Extensions&) = default;
};

/// Limit up, limit down.
struct Luld {
    std::uint8_t tier = 0;                   ///< 1 or 2; zero: none
    std::int64_t leverage_hundredths = 100;  ///< of tier 2
    std::int64_t previous_close = 0;         ///< in billionths of the currency; zero: as it traded
    std::int64_t straddle_pause_ns = 0;      ///< a straddle state this long is paused; zero: never
    [[nodiscard]] bool exists() const { return tier != 0; }
    friend bool operator==(const Luld&, const Luld&) = default;
};

/// What each day takes over from the day before: the close is the reference of the first auction,
/// and of the limits of the day.
struct Daily {
    enum class Close : std::uint8_t { none, last_trade, last_auction };
    /// Of closes below a price: how far the limits are from them. In billionths of the currency.
    struct Step {
        std::int64_t below = 0;
        std::int64_t amount = 0;
        friend bool operator==(const Step&, const Step&) = default;
    };
    Close close{};
    std::int64_t previous_close = 0;  ///< of an instrument that never traded; zero: none
    Margin limits{};                  ///< around the close
    std::vector<Step> table;          ///< instead of a margin, by price; the last one has no end
    [[nodiscard]] bool exists() const { return close != Close::none; }
    [[nodiscard]] bool has_limits() const { return limits.exists() || !table.empty(); }
    friend bool operator==(const Daily&, const Daily&) = default;
};

/// A lead market maker and its percentage.
struct LeadMaker {
    ParticipantId participant{};
    std::uint16_t basis_points = 0;
    friend bool operator==(const LeadMaker&, const LeadMaker&) = default;
};

/// In billionths of the currency; zero: none.
struct Band {
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    std::int64_t reference = 0;  ///< static reference until the first auction
    friend bool operator==(const Band&, const Band&) = default;
};

/// The rules of an instrument.
struct Rules {
    AllocationDetails allocation{};
    std::vector<LeadMaker> lead_makers;
    Limits limits{};
    Interruption interruption{};
    Extensions extensions{};  ///< of scheduled calls
    Band band{};
    Luld luld{};
    Daily daily{};
    friend bool operator==(const Rules&, const Rules&) = default;
};

/// Halts all instruments when an index has fallen far enough.
struct BreakerRule {
    static constexpr std::size_t k_levels = 3;
    /// A member of an index.
    struct Part {
        std::string symbol;
        std::int64_t weight = 1;
        friend bool operator==(const Part&, const Part&) = default;
    };
    std::vector<Part> index;
    std::int64_t previous_close = 0;  ///< in billionths; zero: as the parts traded
    std::array<std::int64_t, k_levels> fall_basis_points{700, 1'300, 2'000};
    std::int64_t halt_ns = 900 * k_second_ns;
    std::int64_t quiet_before_close_ns = 2'100 * k_second_ns;  ///< then only the last level counts
    friend bool operator==(const BreakerRule&, const BreakerRule&) = default;
};

/// A speed bump: how long requests of clients wait before they are taken, and what the exchange
/// tells before it leaves.
struct Delay {
    /// A duration with a random part.
    struct Wait {
        std::int64_t fixed_ns = 0;
        std::int64_t random_ns = 0;  ///< up to this much longer
        friend bool operator==(const Wait&, const Wait&) = default;
    };
    Wait taking{};  ///< requests that may trade at once
    Wait other{};   ///< cancels and post-only orders
    std::int64_t reports_ns = 0;
    std::int64_t market_data_ns = 0;
    [[nodiscard]] bool holds_requests() const { return taking != Wait{} || other != Wait{}; }
    [[nodiscard]] bool exists() const { return *this != Delay{}; }
    friend bool operator==(const Delay&, const Delay&) = default;
};

/// What market makers undertake: quotes on both sides, for a share of the time of trading.
struct Obligation {
    std::string name;
    std::vector<ParticipantId> participants;
    std::vector<std::string> symbols;     ///< empty: all
    std::uint16_t presence_percent = 80;  ///< of each period
    std::int64_t most_spread = 0;         ///< in billionths of the currency
    std::int64_t least_quantity = 1;      ///< on each side
    std::int64_t period_ns = 60 * k_second_ns;
    friend bool operator==(const Obligation&, const Obligation&) = default;
};

/// The sum of the last trade prices of its parts, each times its weight.
struct Index {
    std::string name;
    std::vector<BreakerRule::Part> parts;
    friend bool operator==(const Index&, const Index&) = default;
};

/// An instrument that is made of others: a spread or a basket.
struct Combination {
    /// An instrument of a combination, and how many of it; sold if below zero.
    struct Leg {
        std::string symbol;
        std::int32_t ratio = 1;
        friend bool operator==(const Leg&, const Leg&) = default;
    };
    std::string symbol;
    CombinationKind kind{};
    std::vector<Leg> legs;
    std::int64_t tick = 0;  ///< in billionths; zero: the largest that suits the legs
    /// In billionths; none: as far as the prices of the legs reach.
    std::optional<std::int64_t> minimum_price;
    std::optional<std::int64_t> maximum_price;
    std::string place;  ///< file and line, for messages
    friend bool operator==(const Combination&, const Combination&) = default;
};

/// Instruments with rules of their own.
struct Group {
    std::string name;  ///< of an instrument or combination by itself, its symbol
    std::vector<std::string> symbols;
    Rules rules{};
    friend bool operator==(const Group&, const Group&) = default;
};

struct Venue {
    std::string name;
    std::string about;
    std::vector<std::string> leaves_out;
    std::vector<std::string> sources;
    std::string zone = "UTC";
    std::int64_t day_begin_ns = 0;         ///< of the trading day, at whose end day orders expire
    std::int64_t day_end_ns = k_day_ns;    ///< not after the begin: on the next day
    std::vector<TradingSession> sessions;  ///< by time of day
    /// How often feeds publish the indicative values of calls; zero: after each change.
    std::int64_t indicative_every_ns = 0;
    Rules rules{};  ///< of instruments in no group
    std::vector<Group> groups;
    std::vector<Combination> combinations;
    std::optional<BreakerRule> market_breaker;
    Delay delay{};
    Fees fees{};
    std::vector<Obligation> obligations;
    std::optional<Index> index;
    std::string text;  ///< the file

    /// The group of an instrument; null: it has the rules of all.
    [[nodiscard]] const Group* group_of(std::string_view symbol) const;
    [[nodiscard]] const Rules& rules_of(std::string_view symbol) const;
    [[nodiscard]] bool has_combination(std::string_view symbol) const;
    friend bool operator==(const Venue&, const Venue&) = default;
};

}  // namespace damrak::venue
