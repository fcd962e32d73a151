#include <damrak/tables/schema.hpp>

#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>

namespace damrak::tables {

namespace {

using Columns = std::vector<ColumnInfo>;

constexpr std::string_view k_currency = "currency";
constexpr std::string_view k_shares = "shares";

Columns common() {
    return {{"ts_event", Type::time, false, "ns",
             "Time of the message: since 1970-01-01 on the day's date, by the clock of the "
             "recording; since midnight if the day has no date."},
            {"sequence", Type::uint64, false, "", "Number of the message in the day, from 1."},
            {"symbol", Type::symbol, true, "",
             "The instrument; null for messages about the whole market."}};
}

Columns with(Columns columns, Columns more) {
    for (ColumnInfo& one : more) columns.push_back(std::move(one));
    return columns;
}

Columns of_trades() {
    return with(common(),
                {{"type", Type::letter, false, "",
                  "Of the ITCH message: E or C against a displayed order, P against a hidden one, "
                  "Q cross."},
                 {"side", Type::letter, false, "",
                  "Of the aggressor: B buyer, A seller, N not known or none."},
                 {"price", Type::price, true, k_currency,
                  "Null if it was that of an order which the day does not have."},
                 {"size", Type::uint64, false, k_shares, "Quantity traded."},
                 {"order_id", Type::uint64, true, "",
                  "Reference of the resting order; null if it was hidden, or for a cross."},
                 {"match_number", Type::uint64, false, "", "Of the trade; unique in the day."},
                 {"cross_type", Type::letter, true, "",
                  "Of a cross: O opening, C closing, H after a halt, I intraday; otherwise null."},
                 {"printable", Type::boolean, false, "",
                  "False: another row, that of the cross, has its shares."},
                 {"broken", Type::boolean, true, "",
                  "True: it was broken later. Null: the messages that would say so are damaged."}});
}

Columns of_book(std::size_t levels) {
    Columns columns = common();
    for (std::size_t i = 0; i < levels; ++i) {
        const auto add = [&](std::string_view name, Type type, std::string_view unit,
                             std::string_view meaning) {
            columns.push_back({fmt::format("{}_{:02}", name, i), type, true, unit, meaning});
        };
        constexpr std::string_view k_bid = "Null if there is no such bid, or it is not known.";
        constexpr std::string_view k_ask = "Null if there is no such offer, or it is not known.";
        constexpr std::string_view k_size =
            "Displayed at this price; 0 if there is no such level, null if it is not known.";
        constexpr std::string_view k_count =
            "Displayed orders at this price; 0 if there is no such level, null if it is not "
            "known.";
        add("bid_px", Type::price, k_currency, k_bid);
        add("ask_px", Type::price, k_currency, k_ask);
        add("bid_sz", Type::uint64, k_shares, k_size);
        add("ask_sz", Type::uint64, k_shares, k_size);
        add("bid_ct", Type::uint32, "orders", k_count);
        add("ask_ct", Type::uint32, "orders", k_count);
    }
    return columns;
}

Columns of_messages() {
    return with(
        common(),
        {{"type", Type::letter, false, "", "Of the ITCH message."},
         {"action", Type::letter, false, "",
          "A add, F fill, C cancel, M modify (replace), T trade without a displayed order, N "
          "none."},
         {"side", Type::letter, false, "",
          "Of the order, also of one that is filled or cancelled: B bid, A ask, N not known or "
          "none."},
         {"price", Type::price, true, k_currency,
          "Of the trade, otherwise of the order; of a replace the new one."},
         {"size", Type::uint64, true, k_shares,
          "Added, filled, cancelled or traded; of a replace the new quantity."},
         {"remaining", Type::uint64, true, k_shares,
          "Open quantity of the order after it; null: not known."},
         {"order_id", Type::uint64, true, "", "Reference of the order; of a replace the new one."},
         {"old_order_id", Type::uint64, true, "", "Of a replace: the reference before."},
         {"match_number", Type::uint64, true, "", "Of a trade, or of the trade that is broken."},
         {"printable", Type::boolean, true, "", "Of a trade: as in the table of trades."},
         {"broken", Type::boolean, true, "", "Of a trade: as in the table of trades."},
         {"by_view", Type::boolean, false, "",
          "True: no participant's message, but a change of what a day of limited depth shows."}});
}

Columns of_candles() {
    const auto price = [](std::string_view name, std::string_view meaning) {
        return ColumnInfo{std::string{name}, Type::price, false, k_currency, meaning};
    };
    return {{"ts_event", Type::time, false, "ns",
             "Begin of the interval, a multiple of its length since midnight; otherwise as in the "
             "other tables."},
            {"symbol", Type::symbol, true, "", "The instrument."},
            price("open", "Of the first trade."),
            price("high", "The highest."),
            price("low", "The lowest."),
            price("close", "Of the last trade."),
            {"volume", Type::uint64, false, k_shares, "Traded."},
            {"trades", Type::uint64, false, "", "Number of trades."}};
}

Columns of_auctions() {
    return with(
        common(),
        {{"type", Type::letter, false, "",
          "Of the ITCH message: I what the auction would be now, Q what it was."},
         {"cross_type", Type::letter, false, "",
          "O opening, C closing, H after a halt, I intraday; of type I also A extended hours."},
         {"price", Type::price, true, k_currency,
          "Of Q that of the auction, null if nothing traded; of I the reference price, null if "
          "there is none."},
         {"size", Type::uint64, false, k_shares, "Of Q traded; of I what would trade (paired)."},
         {"imbalance", Type::uint64, true, k_shares, "Of I: what would be left."},
         {"imbalance_side", Type::letter, true, "",
          "Of I: B to buy, S to sell, N none, O too few orders to tell, P paused."},
         {"far_px", Type::price, true, k_currency,
          "Of I: at which the orders for the auction alone would trade; null if there is none."},
         {"near_px", Type::price, true, k_currency,
          "Of I: at which they and the book would trade; null if there is none."},
         {"match_number", Type::uint64, true, "", "Of Q: of the trade; unique in the day."},
         {"broken", Type::boolean, true, "", "Of Q: as in the table of trades."}});
}

Columns of_halts() {
    constexpr std::string_view k_collar = "Of type J: of the collar.";
    return with(
        common(),
        {{"type", Type::letter, false, "",
          "Of the ITCH message: H trading state, h halt by a market, J collar of the auction after "
          "a pause of limit up, limit down, W breach of the market-wide circuit breaker."},
         {"state", Type::letter, false, "",
          "Of H: T trading, Q quoting only, H halted, P paused; of h: H halted, T not any more; of "
          "J: P; of W: the level, 1 to 3."},
         {"reason", Type::code, true, "",
          "Of H: the code of Nasdaq, such as LUDP; null if it has none."},
         {"market", Type::letter, true, "", "Of h: the market."},
         {"reference_px", Type::price, true, k_currency, k_collar},
         {"lower_px", Type::price, true, k_currency, k_collar},
         {"upper_px", Type::price, true, k_currency, k_collar},
         {"extensions", Type::uint32, true, "", "Of J: how often the collar was widened."}});
}

}  // namespace

std::string_view name_of(Table table) {
    switch (table) {
        case Table::trades:
            return "trades";
        case Table::bbo:
            return "bbo";
        case Table::depth:
            return "depth";
        case Table::messages:
            return "messages";
        case Table::candles:
            return "candles";
        case Table::auctions:
            return "auctions";
        case Table::halts:
            return "halts";
    }
    return {};
}

std::vector<ColumnInfo> columns_of(Table table, std::size_t levels) {
    DAMRAK_ASSERT(levels >= 1 && levels <= k_most_levels);
    switch (table) {
        case Table::trades:
            return of_trades();
        case Table::bbo:
            return of_book(1);
        case Table::depth:
            return of_book(levels);
        case Table::messages:
            return of_messages();
        case Table::candles:
            return of_candles();
        case Table::auctions:
            return of_auctions();
        case Table::halts:
            return of_halts();
    }
    return {};
}

}  // namespace damrak::tables
