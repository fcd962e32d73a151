// Layout of ITCH 5.0: the type letter, the length and the field offsets of each message. The only
// header of this codec with wire offsets. The compiler generates decode.hpp, walk.hpp and
// encode.hpp from these tables, so they cannot disagree. Costs nothing at run time.
#pragma once

// All integers are big-endian and unsigned. A field's width follows from its C++ type
// (k_wire_size). Each table is checked: its fields lie side by side from byte 11 to the last.

// Source: Nasdaq TotalView-ITCH 5.0 specification, section 1 (message formats); lengths agree with
// captured packets for 17 of the types.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <damrak/wire/itch/messages.hpp>

namespace damrak::wire::itch {

// Archive files and MoldUDP64 put a 16-bit length before each message. It does not count itself.
inline constexpr std::size_t k_frame_header_length = 2;

// The prefix that all messages share.
inline constexpr std::size_t k_type_offset = 0;
inline constexpr std::size_t k_stock_locate_offset = 1;
inline constexpr std::size_t k_tracking_number_offset = 3;
inline constexpr std::size_t k_timestamp_offset = 5;
// The messages about one order (A F E C X D U P) have its reference directly after the prefix.
inline constexpr std::size_t k_order_ref_offset = 11;

inline constexpr std::size_t k_min_message_length = 12;
inline constexpr std::size_t k_max_message_length = 50;
inline constexpr std::size_t k_max_frame_length = k_frame_header_length + k_max_message_length;

inline constexpr std::int64_t k_max_timestamp_ns = (std::int64_t{1} << 48) - 1;
inline constexpr std::uint32_t k_max_price_e4 = 2'000'000'000;  // 200,000.0000

template <class T>
inline constexpr std::size_t k_wire_size = sizeof(T);
template <>
inline constexpr std::size_t k_wire_size<std::int64_t> = 6;  // timestamps, the only signed field

template <auto member, std::size_t offset>
struct Field;

/// The place of a field whose member is a value.
template <class M, class T, T M::* member, std::size_t offset>
struct Field<member, offset> {
    using Value = T;
    static constexpr T M::* k_member = member;
    static constexpr std::size_t k_offset = offset;
    static constexpr std::size_t k_end = offset + k_wire_size<T>;
};

/// The fields of a message, checked to leave no gap.
template <class... Fields>
struct FieldList {
    [[nodiscard]] static constexpr bool tiles(std::size_t first, std::size_t last) {
        return ((std::exchange(first, Fields::k_end) == Fields::k_offset) && ...) && first == last;
    }
};

/// Type, length and fields of a message.
template <char type, std::size_t length, class M, class... Own>
struct MessageLayout {
    static constexpr char k_type = type;
    static constexpr std::size_t k_length = length;
    using Fields = FieldList<Field<&M::stock_locate, k_stock_locate_offset>,
                             Field<&M::tracking_number, k_tracking_number_offset>,
                             Field<&M::timestamp_ns, k_timestamp_offset>, Own...>;
    static_assert(Fields::tiles(k_stock_locate_offset, length), "a gap or an overlap in a message");
    static_assert(length >= k_min_message_length && length <= k_max_message_length);
};

template <class M>
struct Layout;

// One line per field, as in the specification.
// clang-format off
template <>
struct Layout<SystemEvent>
    : MessageLayout<'S', 12, SystemEvent,
                    Field<&SystemEvent::event_code, 11>> {};

template <>
struct Layout<StockDirectory>
    : MessageLayout<'R', 39, StockDirectory,
                    Field<&StockDirectory::stock,                11>,
                    Field<&StockDirectory::market_category,      19>,
                    Field<&StockDirectory::financial_status,     20>,
                    Field<&StockDirectory::round_lot_size,       21>,
                    Field<&StockDirectory::round_lots_only,      25>,
                    Field<&StockDirectory::issue_classification, 26>,
                    Field<&StockDirectory::issue_sub_type,       27>,
                    Field<&StockDirectory::authenticity,         29>,
                    Field<&StockDirectory::short_sale_threshold, 30>,
                    Field<&StockDirectory::ipo_flag,             31>,
                    Field<&StockDirectory::luld_tier,            32>,
                    Field<&StockDirectory::etp_flag,             33>,
                    Field<&StockDirectory::etp_leverage_factor,  34>,
                    Field<&StockDirectory::inverse_indicator,    38>> {};

template <>
struct Layout<StockTradingAction>
    : MessageLayout<'H', 25, StockTradingAction,
                    Field<&StockTradingAction::stock,         11>,
                    Field<&StockTradingAction::trading_state, 19>,
                    Field<&StockTradingAction::reserved,      20>,
                    Field<&StockTradingAction::reason,        21>> {};

template <>
struct Layout<RegShoRestriction>
    : MessageLayout<'Y', 20, RegShoRestriction,
                    Field<&RegShoRestriction::stock,  11>,
                    Field<&RegShoRestriction::action, 19>> {};

template <>
struct Layout<MarketParticipantPosition>
    : MessageLayout<'L', 26, MarketParticipantPosition,
                    Field<&MarketParticipantPosition::mpid,                 11>,
                    Field<&MarketParticipantPosition::stock,                15>,
                    Field<&MarketParticipantPosition::primary_market_maker, 23>,
                    Field<&MarketParticipantPosition::market_maker_mode,    24>,
                    Field<&MarketParticipantPosition::participant_state,    25>> {};

template <>
struct Layout<MwcbDeclineLevels>
    : MessageLayout<'V', 35, MwcbDeclineLevels,
                    Field<&MwcbDeclineLevels::level1_e8, 11>,
                    Field<&MwcbDeclineLevels::level2_e8, 19>,
                    Field<&MwcbDeclineLevels::level3_e8, 27>> {};

template <>
struct Layout<MwcbStatus>
    : MessageLayout<'W', 12, MwcbStatus,
                    Field<&MwcbStatus::breached_level, 11>> {};

template <>
struct Layout<IpoQuotingPeriod>
    : MessageLayout<'K', 28, IpoQuotingPeriod,
                    Field<&IpoQuotingPeriod::stock,             11>,
                    Field<&IpoQuotingPeriod::release_time_s,    19>,
                    Field<&IpoQuotingPeriod::release_qualifier, 23>,
                    Field<&IpoQuotingPeriod::ipo_price_e4,      24>> {};

template <>
struct Layout<LuldAuctionCollar>
    : MessageLayout<'J', 35, LuldAuctionCollar,
                    Field<&LuldAuctionCollar::stock,              11>,
                    Field<&LuldAuctionCollar::reference_price_e4, 19>,
                    Field<&LuldAuctionCollar::upper_price_e4,     23>,
                    Field<&LuldAuctionCollar::lower_price_e4,     27>,
                    Field<&LuldAuctionCollar::extensions,         31>> {};

template <>
struct Layout<OperationalHalt>
    : MessageLayout<'h', 21, OperationalHalt,
                    Field<&OperationalHalt::stock,       11>,
                    Field<&OperationalHalt::market_code, 19>,
                    Field<&OperationalHalt::action,      20>> {};

template <>
struct Layout<AddOrder>
    : MessageLayout<'A', 36, AddOrder,
                    Field<&AddOrder::order_ref, 11>,
                    Field<&AddOrder::side,      19>,
                    Field<&AddOrder::shares,    20>,
                    Field<&AddOrder::stock,     24>,
                    Field<&AddOrder::price_e4,  32>> {};

template <>
struct Layout<AddOrderAttributed>
    : MessageLayout<'F', 40, AddOrderAttributed,
                    Field<&AddOrderAttributed::order_ref,   11>,
                    Field<&AddOrderAttributed::side,        19>,
                    Field<&AddOrderAttributed::shares,      20>,
                    Field<&AddOrderAttributed::stock,       24>,
                    Field<&AddOrderAttributed::price_e4,    32>,
                    Field<&AddOrderAttributed::attribution, 36>> {};

template <>
struct Layout<OrderExecuted>
    : MessageLayout<'E', 31, OrderExecuted,
                    Field<&OrderExecuted::order_ref,       11>,
                    Field<&OrderExecuted::executed_shares, 19>,
                    Field<&OrderExecuted::match_number,    23>> {};

template <>
struct Layout<OrderExecutedWithPrice>
    : MessageLayout<'C', 36, OrderExecutedWithPrice,
                    Field<&OrderExecutedWithPrice::order_ref,          11>,
                    Field<&OrderExecutedWithPrice::executed_shares,    19>,
                    Field<&OrderExecutedWithPrice::match_number,       23>,
                    Field<&OrderExecutedWithPrice::printable,          31>,
                    Field<&OrderExecutedWithPrice::execution_price_e4, 32>> {};

template <>
struct Layout<OrderCancel>
    : MessageLayout<'X', 23, OrderCancel,
                    Field<&OrderCancel::order_ref,        11>,
                    Field<&OrderCancel::cancelled_shares, 19>> {};

template <>
struct Layout<OrderDelete>
    : MessageLayout<'D', 19, OrderDelete,
                    Field<&OrderDelete::order_ref, 11>> {};

template <>
struct Layout<OrderReplace>
    : MessageLayout<'U', 35, OrderReplace,
                    Field<&OrderReplace::order_ref,     11>,
                    Field<&OrderReplace::new_order_ref, 19>,
                    Field<&OrderReplace::shares,        27>,
                    Field<&OrderReplace::price_e4,      31>> {};

template <>
struct Layout<Trade>
    : MessageLayout<'P', 44, Trade,
                    Field<&Trade::order_ref,    11>,
                    Field<&Trade::side,         19>,
                    Field<&Trade::shares,       20>,
                    Field<&Trade::stock,        24>,
                    Field<&Trade::price_e4,     32>,
                    Field<&Trade::match_number, 36>> {};

template <>
struct Layout<CrossTrade>
    : MessageLayout<'Q', 40, CrossTrade,
                    Field<&CrossTrade::shares,         11>,
                    Field<&CrossTrade::stock,          19>,
                    Field<&CrossTrade::cross_price_e4, 27>,
                    Field<&CrossTrade::match_number,   31>,
                    Field<&CrossTrade::cross_type,     39>> {};

template <>
struct Layout<BrokenTrade>
    : MessageLayout<'B', 19, BrokenTrade,
                    Field<&BrokenTrade::match_number, 11>> {};

template <>
struct Layout<NetOrderImbalance>
    : MessageLayout<'I', 50, NetOrderImbalance,
                    Field<&NetOrderImbalance::paired_shares,       11>,
                    Field<&NetOrderImbalance::imbalance_shares,    19>,
                    Field<&NetOrderImbalance::imbalance_direction, 27>,
                    Field<&NetOrderImbalance::stock,               28>,
                    Field<&NetOrderImbalance::far_price_e4,        36>,
                    Field<&NetOrderImbalance::near_price_e4,       40>,
                    Field<&NetOrderImbalance::reference_price_e4,  44>,
                    Field<&NetOrderImbalance::cross_type,          48>,
                    Field<&NetOrderImbalance::price_variation,     49>> {};

template <>
struct Layout<RetailPriceImprovement>
    : MessageLayout<'N', 20, RetailPriceImprovement,
                    Field<&RetailPriceImprovement::stock,         11>,
                    Field<&RetailPriceImprovement::interest_flag, 19>> {};

template <>
struct Layout<DirectListing>
    : MessageLayout<'O', 48, DirectListing,
                    Field<&DirectListing::stock,                   11>,
                    Field<&DirectListing::open_eligibility,        19>,
                    Field<&DirectListing::min_price_e4,            20>,
                    Field<&DirectListing::max_price_e4,            24>,
                    Field<&DirectListing::near_execution_price_e4, 28>,
                    Field<&DirectListing::near_execution_time_ns,  32>,
                    Field<&DirectListing::lower_collar_e4,         40>,
                    Field<&DirectListing::upper_collar_e4,         44>> {};

// clang-format on

template <class List>
struct TypeTable;

// message_length() of a letter without a message: a length that no 16-bit field can hold.
inline constexpr std::uint32_t k_no_message = 0x1'0000;

/// Lengths and numbers of the messages of a variant, by type.
template <class... Ms>
struct TypeTable<std::variant<Ms...>> {
    std::array<std::uint32_t, 256> length_of{};
    std::size_t types = 0;

    constexpr TypeTable() {
        length_of.fill(k_no_message);
        ((length_of[static_cast<unsigned char>(Layout<Ms>::k_type)] = Layout<Ms>::k_length), ...);
        for (const auto stated : length_of) types += stated != k_no_message;
    }
};

inline constexpr TypeTable<Message> k_type_table{};
static_assert(k_type_table.types == 23 && k_type_table.types == std::variant_size_v<Message>,
              "two messages share a letter or one is missing");

// The length of messages of this type; k_no_message for a letter that ITCH 5.0 does not use.
[[nodiscard]] constexpr std::uint32_t message_length(char type) noexcept {
    return k_type_table.length_of[static_cast<unsigned char>(type)];
}

// True for the messages with an order reference at k_order_ref_offset.
[[nodiscard]] constexpr bool is_about_order(char type) noexcept {
    constexpr auto k_letters = [] {
        std::uint32_t bits = 0;
        for (const char letter : std::string_view{"AFECXDUP"}) bits |= 1U << (letter - 'A');
        return bits;
    }();
    const unsigned distance = static_cast<unsigned char>(type) - unsigned{'A'};
    return distance < 32 && ((k_letters >> distance) & 1U) != 0;
}

}  // namespace damrak::wire::itch
