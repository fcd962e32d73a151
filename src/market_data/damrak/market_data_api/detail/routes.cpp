#include <damrak/market_data_api/detail/routes.hpp>

#include <array>

#include <damrak/market_data_api/detail/parameters.hpp>

namespace damrak::market_data_api {

namespace {

constexpr std::array k_day_only{k_day};
constexpr std::array k_of_book{k_symbol, k_day, k_at, k_sequence, k_depth, k_orders};
constexpr std::array k_of_trades{k_symbol, k_day, k_from, k_until, k_after, k_limit};
constexpr std::array k_of_candles{k_symbol, k_day, k_from, k_until, k_interval, k_limit};
constexpr std::array k_of_heatmap{k_symbol,  k_day,  k_from, k_until,
                                  k_columns, k_rows, k_low,  k_high};
constexpr std::array k_of_measures{k_symbol, k_day, k_from, k_until, k_interval};
constexpr std::array k_of_messages{k_any_symbol, k_day, k_from, k_until, k_after};

constexpr std::array k_of_bust{k_symbol, k_trade};
constexpr std::array k_of_correction{k_symbol, k_trade, k_new_price, k_new_quantity};
constexpr std::array k_of_quote_protection{k_symbol, k_quoter, k_maximum, k_window};
constexpr std::array k_of_events{k_any_symbol,  k_day,         k_order,
                                 k_participant, k_from_record, k_to_record};

constexpr std::array k_routes{
    Route{"/v1/days", "The days that there are, the newest first", {}, "Days", answer_days},
    Route{"/v1/instruments", "The instruments of a day", k_day_only, "Instruments",
          answer_instruments},
    Route{"/v1/book", "The book of an instrument: now, at a time, or after a message", k_of_book,
          "Book", answer_book},
    Route{"/v1/trades", "The trades of an instrument, page by page", k_of_trades, "Trades",
          answer_trades},
    Route{"/v1/candles",
          "Open, high, low, close and volume of an instrument by interval, page by page",
          k_of_candles, "Candles", answer_candles},
    Route{"/v1/heatmap", "The displayed quantity of an instrument over time and price",
          k_of_heatmap, "Heatmap", answer_heatmap},
    Route{"/v1/measures", "Measures of market quality by interval", k_of_measures, "Measures",
          answer_measures},
    Route{"/v1/messages", "The ITCH messages of a day, one JSON object a line", k_of_messages,
          "Message", answer_messages},
    Route{"/v1/orders/{reference}", "The life of an order with its place in the queue", k_day_only,
          "OrderLife", answer_order},
    Route{"/v1/private/days",
          "The days whose events are kept, the newest first",
          {},
          "EventDays",
          answer_event_days,
          true},
    Route{"/v1/private/events",
          "What the engine did on a day, with owners, hidden and reserve quantities and stop "
          "orders, one JSON object a line",
          k_of_events, "Event", answer_events, true},
    Route{"/v1/private/participants",
          "What each participant did on a day: orders, trades, positions, profit", k_day_only,
          "Participants", answer_participants, true},
    Route{"/v1/private/busts", "Bust a trade of today: the exchange takes it back", k_of_bust,
          "Bust", answer_bust, true, true},
    Route{"/v1/private/corrections",
          "Correct a trade of today: another price, or a smaller quantity", k_of_correction,
          "Correction", answer_correction, true, true},
    Route{"/v1/private/quote-protections",
          "Set how much the quotes of a participant may trade within a window of time",
          k_of_quote_protection, "QuoteProtection", answer_quote_protection, true, true},
};

}  // namespace

std::span<const Route> routes() { return k_routes; }

Problem no_exchange() {
    return {.status = 503, .code = "no_exchange", .message = "no exchange takes the command now"};
}

Result<void> submit(const Call& call, const Command& command, const Tag& tag) {
    if (call.submit && call.submit(command, tag)) return {};
    return std::unexpected{no_exchange()};
}

}  // namespace damrak::market_data_api
