#include <damrak/market_data_api/routes.hpp>

#include <array>

namespace damrak::market_data_api {

namespace {

constexpr Parameter k_day{
    .name = "day",
    .help =
        "feed session (2026112300), date (2026-11-23) or name of an archived day; otherwise "
        "the session under way, or the newest day"};
constexpr Parameter k_symbol{.name = "symbol", .help = "instrument", .is_required = true};
constexpr Parameter k_from{.name = "from",
                           .kind = ParameterKind::time,
                           .help = "time of day, or nanoseconds since midnight: not earlier"};
constexpr Parameter k_until{
    .name = "until", .kind = ParameterKind::time, .help = "the same: not later"};
constexpr Parameter k_after{.name = "after",
                            .kind = ParameterKind::number,
                            .help = "sequence of a message: only what follows it"};
constexpr Parameter k_limit{.name = "limit",
                            .kind = ParameterKind::number,
                            .help = "how many at most: 1 to 10000, otherwise 1000"};

constexpr std::array k_day_only{k_day};
constexpr std::array k_book{
    k_symbol,
    k_day,
    Parameter{.name = "at",
              .kind = ParameterKind::time,
              .help = "after all messages up to this time of day, or nanosecond since midnight"},
    Parameter{
        .name = "sequence", .kind = ParameterKind::number, .help = "after this message of the day"},
    Parameter{.name = "depth",
              .kind = ParameterKind::number,
              .help = "price levels of each side; 0 is all, otherwise 10"},
    Parameter{.name = "orders",
              .kind = ParameterKind::truth,
              .help = "each order in its priority, instead of price levels"}};
constexpr std::array k_trades{k_symbol, k_day, k_from, k_until, k_after, k_limit};
constexpr std::array k_candles{k_symbol, k_day, k_from, k_until,
                               Parameter{.name = "interval",
                                         .kind = ParameterKind::number,
                                         .help = "seconds of a candle: 1 to 86400, otherwise 60"}};
constexpr std::array k_messages{Parameter{.name = "symbol", .help = "instrument"}, k_day, k_from,
                                k_until, k_after};

constexpr std::array k_routes{
    Route{"/v1/days", "The days that there are, the newest first", {}, "Days", answer_days},
    Route{"/v1/instruments", "The instruments of a day", k_day_only, "Instruments",
          answer_instruments},
    Route{"/v1/book", "The book of an instrument: now, at a time, or after a message", k_book,
          "Book", answer_book},
    Route{"/v1/trades", "The trades of an instrument, page by page", k_trades, "Trades",
          answer_trades},
    Route{"/v1/candles", "Open, high, low, close and volume of an instrument by interval",
          k_candles, "Candles", answer_candles},
    Route{"/v1/messages", "The ITCH messages of a day, one JSON object a line", k_messages,
          "Message", answer_messages},
    Route{"/v1/orders/{reference}", "The life of an order with its place in the queue", k_day_only,
          "OrderLife", answer_order},
};

}  // namespace

std::span<const Route> routes() { return k_routes; }

}  // namespace damrak::market_data_api
