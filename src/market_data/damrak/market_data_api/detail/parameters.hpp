// The parameters of the routes with their limits: requests are checked against them, and the
// OpenAPI description lists them.
#pragma once

#include <limits>

#include <damrak/domain/instrument.hpp>
#include <damrak/market_data_api/query.hpp>

namespace damrak::market_data_api {

inline constexpr Parameter k_day{
    .name = "day",
    .help =
        "feed session (2026112300), date (2026-11-23: its last session) or name of an archived "
        "day; otherwise the current session; without a feed the newest day"};
inline constexpr Parameter k_symbol{.name = "symbol", .help = "instrument", .is_required = true};
inline constexpr Parameter k_any_symbol{.name = "symbol", .help = "instrument; otherwise all"};
inline constexpr Parameter k_from{
    .name = "from",
    .kind = ParameterKind::time,
    .help = "not earlier than this time of day (10:31:05.123456789) or nanosecond since midnight"};
inline constexpr Parameter k_until{
    .name = "until", .kind = ParameterKind::time, .help = "not later than this time, likewise"};
inline constexpr Parameter k_after{.name = "after",
                                   .kind = ParameterKind::number,
                                   .help = "only what follows the message with this sequence"};
inline constexpr Parameter k_limit{.name = "limit",
                                   .kind = ParameterKind::number,
                                   .help = "how many at most; next leads to those that follow",
                                   .least = 1,
                                   .most = 10'000,
                                   .otherwise = 1'000};
inline constexpr Parameter k_at{
    .name = "at",
    .kind = ParameterKind::time,
    .help = "after all messages up to this time of day or nanosecond since midnight"};
inline constexpr Parameter k_sequence{.name = "sequence",
                                      .kind = ParameterKind::number,
                                      .help = "after this message of the day; 0: before the first"};
inline constexpr Parameter k_depth{.name = "depth",
                                   .kind = ParameterKind::number,
                                   .help = "best price levels of each side; 0: all",
                                   .otherwise = 10};
inline constexpr Parameter k_orders{.name = "orders",
                                    .kind = ParameterKind::truth,
                                    .help = "each order of these levels in its priority"};
inline constexpr Parameter k_order{
    .name = "order",
    .kind = ParameterKind::number,
    .help = "only this order, by its id at entry, through its replaces; otherwise all",
    .least = 1};
inline constexpr Parameter k_trade{.name = "trade",
                                   .kind = ParameterKind::number,
                                   .help = "number of the trade, as its events have it",
                                   .is_required = true,
                                   .least = 1};
inline constexpr Parameter k_new_price{.name = "price",
                                       .kind = ParameterKind::price,
                                       .help = "of the trade from now on; otherwise as it is"};
inline constexpr Parameter k_new_quantity{
    .name = "quantity",
    .kind = ParameterKind::number,
    .help = "of the trade from now on, at most what was traded; 0: as it is",
    .otherwise = 0};
inline constexpr Parameter k_participant{.name = "participant",
                                         .kind = ParameterKind::number,
                                         .help = "only this participant; otherwise all",
                                         .least = 1,
                                         .most = std::numeric_limits<std::uint32_t>::max()};
inline constexpr Parameter k_quoter{.name = "participant",
                                    .kind = ParameterKind::number,
                                    .help = "whose quotes",
                                    .is_required = true,
                                    .least = 1,
                                    .most = std::numeric_limits<std::uint32_t>::max()};
inline constexpr Parameter k_maximum{
    .name = "maximum",
    .kind = ParameterKind::number,
    .help = "quantity at which the quotes are cancelled; 0: no protection from now on",
    .is_required = true,
    .most = k_largest_maximum_quantity.value};
inline constexpr Parameter k_window{
    .name = "window", .help = "in which they traded it, such as 500ms; required with a maximum"};
inline constexpr Parameter k_from_record{.name = "from_record",
                                         .kind = ParameterKind::number,
                                         .help = "not before this record of the journal"};
inline constexpr Parameter k_to_record{.name = "to_record",
                                       .kind = ParameterKind::number,
                                       .help = "not after this record of the journal"};
inline constexpr Parameter k_interval{.name = "interval",
                                      .kind = ParameterKind::number,
                                      .help = "seconds of a candle",
                                      .least = 1,
                                      .most = 86'400,
                                      .otherwise = 60};
inline constexpr Parameter k_columns{.name = "columns",
                                     .kind = ParameterKind::number,
                                     .help = "columns of the picture at most",
                                     .least = 1,
                                     .most = 2'000,
                                     .otherwise = 400};
inline constexpr Parameter k_rows{.name = "rows",
                                  .kind = ParameterKind::number,
                                  .help = "price rows of the picture at most",
                                  .least = 1,
                                  .most = 1'000,
                                  .otherwise = 200};
inline constexpr Parameter k_low{
    .name = "low",
    .kind = ParameterKind::price,
    .help = "lowest price; otherwise that of the best prices and trades, with a margin"};
inline constexpr Parameter k_high{
    .name = "high", .kind = ParameterKind::price, .help = "end of the highest row, likewise"};

}  // namespace damrak::market_data_api
