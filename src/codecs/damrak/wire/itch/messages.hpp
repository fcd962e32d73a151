// The 23 messages of Nasdaq TotalView-ITCH 5.0 as plain values in host byte order. Made by
// decode.hpp and walk.hpp, read by encode.hpp and by book builders. Copying one costs at most 64
// bytes; none owns memory. Wire positions of the fields are in descriptor.hpp.
//
// Names contain the units: `_e4` prices count 1/10,000 dollar, `_e8` levels 1/100,000,000,
// `timestamp_ns` is nanoseconds since midnight of the session day (US Eastern), below 2^48. A field
// of type `char` holds its letter as received, known or not, since revisions of the specification
// add letters. `Side` and `bool` fields are checked when decoded.
//
// Source: Nasdaq TotalView-ITCH 5.0 specification, revision of 2023-04-28.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include <damrak/domain/order_terms.hpp>

namespace damrak::wire::itch {

// Text of fixed width, left-justified, padded with spaces.
template <std::size_t n>
struct Alpha {
    std::array<char, n> chars{};

    // Empty if the text is too long or has a character outside printable ASCII.
    [[nodiscard]] static constexpr std::optional<Alpha> from(std::string_view text) noexcept {
        if (text.size() > n) return std::nullopt;
        Alpha result;
        result.chars.fill(' ');
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] < ' ' || text[i] > '~') return std::nullopt;
            result.chars[i] = text[i];
        }
        return result;
    }

    // Without the padding; valid as long as this object exists.
    [[nodiscard]] constexpr std::string_view text() const noexcept {
        std::size_t length = n;
        while (length > 0 && chars[length - 1] == ' ') --length;
        return {chars.data(), length};
    }

    friend bool operator==(const Alpha&, const Alpha&) = default;
};

using Stock = Alpha<8>;
using Mpid = Alpha<4>;

/// `S`: the day begins or ends, the market opens or closes.
struct SystemEvent {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    char event_code{};  // O messages start, S system, Q market opens, M market closes, E, C last
    friend bool operator==(const SystemEvent&, const SystemEvent&) = default;
};

/// `R`: an instrument of the day.
struct StockDirectory {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    char market_category{};
    char financial_status{};
    std::uint32_t round_lot_size{};
    char round_lots_only{};
    char issue_classification{};
    Alpha<2> issue_sub_type{};
    char authenticity{};  // P production, T test
    char short_sale_threshold{};
    char ipo_flag{};
    char luld_tier{};
    char etp_flag{};
    std::uint32_t etp_leverage_factor{};
    char inverse_indicator{};
    friend bool operator==(const StockDirectory&, const StockDirectory&) = default;
};

/// `H`: an instrument trades, is halted or paused.
struct StockTradingAction {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    char trading_state{};  // H halted, P paused, Q quotation only, T trading
    char reserved{};       // no meaning; kept so that encoding gives back the same bytes
    Alpha<4> reason{};
    friend bool operator==(const StockTradingAction&, const StockTradingAction&) = default;
};

/// `Y`: the short sale price test of an instrument.
struct RegShoRestriction {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    char action{};
    friend bool operator==(const RegShoRestriction&, const RegShoRestriction&) = default;
};

/// `L`: the standing of a market maker in an instrument.
struct MarketParticipantPosition {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Mpid mpid{};
    Stock stock{};
    char primary_market_maker{};
    char market_maker_mode{};
    char participant_state{};
    friend bool operator==(const MarketParticipantPosition&,
                           const MarketParticipantPosition&) = default;
};

/// `V`: the levels of the market-wide circuit breaker.
struct MwcbDeclineLevels {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t level1_e8{};
    std::uint64_t level2_e8{};
    std::uint64_t level3_e8{};
    friend bool operator==(const MwcbDeclineLevels&, const MwcbDeclineLevels&) = default;
};

/// `W`: a level of the market-wide circuit breaker was reached.
struct MwcbStatus {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    char breached_level{};
    friend bool operator==(const MwcbStatus&, const MwcbStatus&) = default;
};

/// `K`: when quoting of a new issue begins.
struct IpoQuotingPeriod {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    std::uint32_t release_time_s{};
    char release_qualifier{};
    std::uint32_t ipo_price_e4{};
    friend bool operator==(const IpoQuotingPeriod&, const IpoQuotingPeriod&) = default;
};

/// `J`: the collar of a reopening auction.
struct LuldAuctionCollar {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    std::uint32_t reference_price_e4{};
    std::uint32_t upper_price_e4{};
    std::uint32_t lower_price_e4{};
    std::uint32_t extensions{};
    friend bool operator==(const LuldAuctionCollar&, const LuldAuctionCollar&) = default;
};

/// `h`: an operational halt at one market.
struct OperationalHalt {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    char market_code{};
    char action{};
    friend bool operator==(const OperationalHalt&, const OperationalHalt&) = default;
};

/// `A`: an order rests, displayed.
struct AddOrder {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    Side side{Side::buy};
    std::uint32_t shares{};
    Stock stock{};
    std::uint32_t price_e4{};
    friend bool operator==(const AddOrder&, const AddOrder&) = default;
};

/// `F`: the same with the participant's name.
struct AddOrderAttributed {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    Side side{Side::buy};
    std::uint32_t shares{};
    Stock stock{};
    std::uint32_t price_e4{};
    Mpid attribution{};
    friend bool operator==(const AddOrderAttributed&, const AddOrderAttributed&) = default;
};

/// `E`: a displayed order traded at its price.
struct OrderExecuted {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    std::uint32_t executed_shares{};
    std::uint64_t match_number{};
    friend bool operator==(const OrderExecuted&, const OrderExecuted&) = default;
};

// The order leaves the level of its display price; the trade is at execution_price_e4.
struct OrderExecutedWithPrice {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    std::uint32_t executed_shares{};
    std::uint64_t match_number{};
    bool printable{};
    std::uint32_t execution_price_e4{};
    friend bool operator==(const OrderExecutedWithPrice&, const OrderExecutedWithPrice&) = default;
};

/// `X`: a part of an order was cancelled.
struct OrderCancel {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    std::uint32_t cancelled_shares{};
    friend bool operator==(const OrderCancel&, const OrderCancel&) = default;
};

/// `D`: an order left the book.
struct OrderDelete {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    friend bool operator==(const OrderDelete&, const OrderDelete&) = default;
};

// The new order inherits side, stock and attribution and joins the tail of its level.
struct OrderReplace {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    std::uint64_t new_order_ref{};
    std::uint32_t shares{};
    std::uint32_t price_e4{};
    friend bool operator==(const OrderReplace&, const OrderReplace&) = default;
};

// A match with hidden interest; the displayed book does not change.
struct Trade {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t order_ref{};
    Side side{Side::buy};
    std::uint32_t shares{};
    Stock stock{};
    std::uint32_t price_e4{};
    std::uint64_t match_number{};
    friend bool operator==(const Trade&, const Trade&) = default;
};

/// `Q`: the trades of a cross, as one.
struct CrossTrade {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t shares{};
    Stock stock{};
    std::uint32_t cross_price_e4{};
    std::uint64_t match_number{};
    char cross_type{};  // O opening, C closing, H after an IPO or halt
    friend bool operator==(const CrossTrade&, const CrossTrade&) = default;
};

/// `B`: a trade was cancelled.
struct BrokenTrade {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t match_number{};
    friend bool operator==(const BrokenTrade&, const BrokenTrade&) = default;
};

/// `I`: what a cross would be if it took place now.
struct NetOrderImbalance {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    std::uint64_t paired_shares{};
    std::uint64_t imbalance_shares{};
    char imbalance_direction{};
    Stock stock{};
    std::uint32_t far_price_e4{};
    std::uint32_t near_price_e4{};
    std::uint32_t reference_price_e4{};
    char cross_type{};
    char price_variation{};
    friend bool operator==(const NetOrderImbalance&, const NetOrderImbalance&) = default;
};

/// `N`: retail interest within the spread.
struct RetailPriceImprovement {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    char interest_flag{};
    friend bool operator==(const RetailPriceImprovement&, const RetailPriceImprovement&) = default;
};

/// `O`: the price range of a direct listing.
struct DirectListing {
    std::uint16_t stock_locate{};
    std::uint16_t tracking_number{};
    std::int64_t timestamp_ns{};
    Stock stock{};
    char open_eligibility{};
    std::uint32_t min_price_e4{};
    std::uint32_t max_price_e4{};
    std::uint32_t near_execution_price_e4{};
    std::uint64_t near_execution_time_ns{};
    std::uint32_t lower_collar_e4{};
    std::uint32_t upper_collar_e4{};
    friend bool operator==(const DirectListing&, const DirectListing&) = default;
};

using Message =
    std::variant<SystemEvent, StockDirectory, StockTradingAction, RegShoRestriction,
                 MarketParticipantPosition, MwcbDeclineLevels, MwcbStatus, IpoQuotingPeriod,
                 LuldAuctionCollar, OperationalHalt, AddOrder, AddOrderAttributed, OrderExecuted,
                 OrderExecutedWithPrice, OrderCancel, OrderDelete, OrderReplace, Trade, CrossTrade,
                 BrokenTrade, NetOrderImbalance, RetailPriceImprovement, DirectListing>;

}  // namespace damrak::wire::itch
