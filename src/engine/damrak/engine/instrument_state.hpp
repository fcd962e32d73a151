// The state of one instrument: its definition, book, stops and counters. Under 2 KiB; orders and
// levels are in the engine's pools. The fields that every order reads come first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/book/order_book.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/engine/combinations.hpp>
#include <damrak/engine/detail/stop_book.hpp>

namespace damrak {

/// The rules that a venue gives to an instrument (domain/market_rules.hpp).
struct InstrumentRules {
    static constexpr std::size_t k_maximum_lead_makers = 8;
    /// A lead market maker of an instrument, and its percentage.
    struct LeadMaker {
        ParticipantId participant{};
        std::uint32_t basis_points = 0;
        friend constexpr bool operator==(const LeadMaker&, const LeadMaker&) = default;
    };

    AllocationDetails allocation{};
    PriceLimitDetails price_limits{};
    PriceBandDetails price_band{};
    std::array<LeadMaker, k_maximum_lead_makers> lead_makers{};  ///< without gaps

    /// Whether orders at one price share what comes in otherwise than by time.
    [[nodiscard]] bool shares() const { return allocation.steps[0] != AllocationStep::none; }
    friend constexpr bool operator==(const InstrumentRules&, const InstrumentRules&) = default;
};

/// The best prices of displayed orders that are not pegged; zero: none.
struct BestPrices {
    Tick bid = 0;
    Tick ask = 0;
    friend constexpr bool operator==(const BestPrices&, const BestPrices&) = default;
};

/// Whether the price band is that of a day.
enum class DailyBand : std::uint8_t {
    none,
    today,
    past,  ///< that day had a trade, and has ended
};

/// Orders of an instrument by time of entry. The links are in their extensions.
struct OrderList {
    OrderIndex first = 0;
    OrderIndex last = 0;
};

/// The pegged orders of one side.
struct PegList : OrderList {
    OrderIndex to_move = 0;  ///< the next one to look at after the best prices changed; zero: none
    BestPrices followed;     ///< at the last moves
};

class alignas(64) InstrumentState {
    // First cache line: what every order is checked against, and what it changes.
    std::int64_t tick_size_ = 0;  ///< smallest; zero: there is no such instrument
    std::uint64_t reciprocal_ = 0;
    std::int64_t price_span_ = 0;  ///< the largest price above base_
    std::int64_t maximum_quantity_ = 0;
    std::int64_t lot_size_ = 0;

  public:
    std::uint64_t orders_hash = 0;  ///< sum over the open orders, updated with every change
    /// Accounts found last, by the low bits of their participants. A cache, not part of the state.
    std::array<AccountIndex, 4> recent_accounts{};

    [[nodiscard]] AccountIndex& recent_account(ParticipantId participant) {
        return recent_accounts[participant.value % recent_accounts.size()];
    }
    [[nodiscard]] AccountIndex recent_account(ParticipantId participant) const {
        return recent_accounts[participant.value % recent_accounts.size()];
    }

    // Second cache line.
    std::uint64_t order_number = 0;  ///< of the order that came in displayed last
    std::uint64_t trade_number = 0;
    Tick last_trade = 0;   ///< zero: no trade yet
    TradingState state{};  ///< it and the next three: see is_ordinary()
    Phase phase{};
    bool ruled = false;  ///< whether it has more than continuous price-time trading: note_rules()
    /// Whether there are combinations, pegged orders, or some that are due because of another one.
    bool follows_orders = false;
    bool follows_trades = false;  ///< whether there are trailing stops, or combinations
    bool ever_used = false;
    PhaseRestrictions::Bits restrictions = 0;
    HaltCause cause : 4 {};              ///< of the phase or of the halt
    CombinationKind combination : 4 {};  ///< what it is itself; Combinations has its legs
    /// Orders outside the queues: held for a minimum quantity, or stopped by a self-trade rule.
    std::uint32_t aside_orders = 0;
    std::uint32_t stopped_orders = 0;  ///< only those stopped by a self-trade rule

  private:
    std::int64_t base_ = 0;  ///< the price of tick zero, which is no price

  public:
    StopBook stops;
    OrderList auction_orders;
    OrderList trailing;                ///< trailing stops that no trade has reached
    std::uint64_t settled_trades = 0;  ///< number of the last trade of earlier days

    OrderBook book;
    /// By side: the other side's best price, as a key, when its stopped orders last had to wait.
    std::array<PriceKey, 2> stopped_at{};

    /// Whether trading is continuous, by price and time, above zero, without price limits and
    /// without pegged orders: the usual case.
    [[nodiscard]] DAMRAK_HOT bool is_ordinary() const {
        std::uint32_t word;  // the four in one comparison
        std::memcpy(&word, reinterpret_cast<const std::byte*>(&state), sizeof word);
        if (word != 0) [[unlikely]]
            return false;
        if (base_ != 0) __builtin_unreachable();  // it would be `ruled`: see note_rules()
        return true;
    }
    /// The same, but in a call of any kind: orders only come and go.
    [[nodiscard]] bool only_collects() const {
        return phase != Phase::closed && collects() && state == TradingState::trading && !ruled &&
               !follows_orders;
    }
    /// Whether orders trade as they come: neither halted nor in a phase in which they collect.
    [[nodiscard]] bool trades() const { return state == TradingState::trading && !collects(); }
    /// Whether orders come to rest without trading, so that the book may be crossed.
    [[nodiscard]] bool collects() const {
        return phase != Phase::continuous && phase != Phase::at_last;
    }

    /// Whether there are orders outside the queues or elected stops, which take the slow path.
    [[nodiscard]] bool unusual() const { return (aside_orders | stops.elected()) != 0; }
    /// Whether orders may be due for a turn at the end of a command.
    [[nodiscard]] bool has_waiting() const {
        return (stopped_orders | stops.elected() | static_cast<std::uint32_t>(follows_orders) |
                static_cast<std::uint32_t>(follows_trades)) != 0;
    }
    /// Whether orders may be due for a turn because others have left.
    [[nodiscard]] bool follows_leaving() const {
        return (stopped_orders | static_cast<std::uint32_t>(follows_orders)) != 0;
    }

    /// Adopts a valid definition, or one that gained a tick band.
    void define(const InstrumentDefinition& definition);
    [[nodiscard]] const InstrumentDefinition& definition() const { return definition_; }
    [[nodiscard]] InstrumentId id() const { return definition_.id; }
    [[nodiscard]] bool exists() const { return tick_size_ != 0; }

    [[nodiscard]] DAMRAK_HOT Reason check_quantity(Quantity quantity) const {
        if (!within(static_cast<std::uint64_t>(quantity.value), maximum_quantity_)) [[unlikely]]
            return quantity.value <= 0 ? Reason::invalid_quantity : Reason::quantity_too_large;
        return on_lot(quantity) ? Reason::none : Reason::quantity_off_lot;
    }
    [[nodiscard]] bool on_lot(Quantity quantity) const {
        return lot_size_ == 1 || quantity.value % lot_size_ == 0;
    }
    /// `if_not_positive` is the reason for a price of zero or below. Sets `tick` if there is no
    /// reason.
    [[nodiscard]] DAMRAK_HOT Reason check_price(Price price, Reason if_not_positive,
                                                Tick& tick) const {
        tick = tick_of(price);
        if (!within(above_base(price), price_span_)) [[unlikely]]
            return price_out_of_range(price, if_not_positive);
        if (price_at(tick) != price || (banded_ && !definition_.on_tick(price))) [[unlikely]]
            return Reason::price_off_tick;
        return Reason::none;
    }

    /// Exact for every multiple of the common tick; price_of() does not restore other prices.
    [[nodiscard]] Tick tick_of(Price price) const {
        // Multiplying by the rounded-up reciprocal is exact wherever the division is.
        const std::uint64_t twice = above_base(price) * 2;
        return static_cast<Tick>(static_cast<Uint128>(twice) * reciprocal_ >> 64U);
    }
    /// The price of a tick that is not zero, or the floor.
    [[nodiscard]] Price price_at(Tick tick) const { return Price{tick * tick_size_ + base_}; }
    /// The same, but price zero for tick zero: of orders without a limit.
    [[nodiscard]] Price price_of(Tick tick) const { return tick == 0 ? Price{} : price_at(tick); }
    /// The limit of an order, or zero if its type has none.
    [[nodiscard]] Tick limit_of(OrderType type, Price price) const {
        return has_limit(type) ? tick_of(price) : 0;
    }
    /// Whether prices may be at or below zero.
    [[nodiscard]] bool below_zero() const { return base_ < 0; }

    /// For an order that is displayed when it comes in, or for its next public id.
    [[nodiscard]] OrderId next_public_id(InstrumentId id) {
        return {allocated_id(id, ++order_number)};
    }

    [[nodiscard]] std::uint64_t hash() const;

    /// Prefetches what an order needs of the instrument.
    DAMRAK_HOT void prefetch() const {
        const auto* lines = reinterpret_cast<const char*>(this);
        for (const std::size_t offset : {0U, 64U}) __builtin_prefetch(lines + offset, 1);
        book.prefetch();
    }

  private:
    /// Whether a value is from 1 to a maximum, in one comparison: lower values wrap to the top.
    static bool within(std::uint64_t value, std::int64_t maximum) {
        return value - 1 < static_cast<std::uint64_t>(maximum);
    }
    /// Wraps for any price that is not valid.
    [[nodiscard]] std::uint64_t above_base(Price price) const {
        return static_cast<std::uint64_t>(price.value) - static_cast<std::uint64_t>(base_);
    }

    [[nodiscard]] Reason price_out_of_range(Price price, Reason if_not_positive) const;

    bool banded_ = false;

  public:
    AuctionRule auction : 4 {};  ///< of the next auction
    CallKind call : 4 {};
    std::uint8_t collar = 0;  ///< one more than the extensions of the band's auction; zero: none
    bool sealed : 1 = false;  ///< orders are not displayed until they have traded in an auction
    DailyBand daily : 2 {};
    CombinationUse first_use = 0;  ///< of the combinations that it is a leg of; zero: none

  private:
    InstrumentDefinition definition_;

  public:
    InstrumentRules rules;
    Timestamp phase_since{};  ///< when the phase began
    PegList pegs;
    Price last_auction{};  ///< in the phase at_last: its price; the floor: nothing trades
    /// By side: the arrival of its top order, which may have left; zero if there is none.
    std::array<std::uint64_t, 2> top_arrivals{};

    std::uint64_t batch_begin = 0;  ///< sealed: orders that arrived later are of this batch

    /// Whether the order is of the batch that the call still hides. Other hidden orders are older.
    [[nodiscard]] bool seals(const Order& order) const {
        return sealed && order.arrival() > batch_begin &&
               order.terms().has(OrderAttributes::k_hidden);
    }
    /// Whether it is a combination, or a leg of one.
    [[nodiscard]] bool combined() const {
        return combination != CombinationKind::none || first_use != 0;
    }
    void note_rules() {
        ruled = rules != InstrumentRules{} || below_zero() || combined() || restrictions != 0;
    }
    /// Whether nothing has traded since the last day ended.
    [[nodiscard]] bool untraded_today() const { return trade_number == settled_trades; }
    [[nodiscard]] bool shares() const { return ruled && rules.shares(); }
    void note_lists() {
        follows_orders = pegs.first != 0 || combined();
        follows_trades = trailing.first != 0 || combined();
    }
};
// An index becomes an address by a shift.
static_assert(sizeof(InstrumentState) == 1024);

}  // namespace damrak
