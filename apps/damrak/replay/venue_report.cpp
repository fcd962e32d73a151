#include "replay/venue_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/domain/phase_names.hpp>

#include "cli.hpp"
#include "modify_option.hpp"
#include "replay/report.hpp"

namespace damrak::app {

namespace {

using nlohmann::ordered_json;
using replay::EnteredOrders;
using replay::InstrumentStatistics;
using replay::VenueInstrument;

double currency(double units) { return std::round(units * 100) / 1e6; }
ordered_json currency(const std::optional<double>& units) {
    return units ? ordered_json(currency(*units)) : ordered_json{};
}

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
}

ordered_json spread_json(const replay::SpreadStatistics& spread) {
    const auto found = spread.summary();
    if (!found) return nullptr;
    return {{"mean", currency(found->mean)},
            {"median", currency(found->median)},
            {"min", currency(static_cast<double>(found->least))},
            {"max", currency(static_cast<double>(found->most))},
            {"seconds", static_cast<double>(found->time_ns) / 1e9}};
}

ordered_json orders_json(const EnteredOrders& of) {
    const auto filled = share(of.filled_quantity, of.quantity);
    return {
        {"orders", of.orders},
        {"quantity", of.quantity},
        {"filled_orders", of.filled_orders},
        {"filled_quantity", of.filled_quantity},
        {"filled_share", filled ? ordered_json(std::round(*filled * 1e6) / 1e6) : ordered_json{}}};
}

ordered_json prices_json(const VenueInstrument& of) {
    if (!of.first_trade) return nullptr;
    const auto price = [](Price one) { return currency(static_cast<double>(one.value)); };
    return {{"first", price(*of.first_trade)},
            {"high", price(of.high_trade)},
            {"low", price(of.low_trade)},
            {"last", price(of.last_trade)},
            {"average", currency(of.average_price())}};
}

ordered_json rejected_json(const VenueInstrument& of) {
    ordered_json object = ordered_json::object();
    for (std::size_t i = 0; i < of.rejected.size(); ++i)
        if (of.rejected[i] != 0) object[std::string{name(static_cast<Reason>(i))}] = of.rejected[i];
    return object;
}

ordered_json book_json(const ReplayOptions& options, const Engine& engine,
                       const InstrumentState& in, Side side) {
    ordered_json levels = ordered_json::array();
    in.book.for_each_level(engine.store(), side, [&](const DepthLevel& level) {
        if (levels.size() == static_cast<std::size_t>(options.depth)) return false;
        levels.push_back({{"price", currency(static_cast<double>(in.price_of(level.tick).value))},
                          {"quantity", level.quantity.value},
                          {"orders", level.orders}});
        return true;
    });
    return levels;
}

ordered_json instrument_json(const ReplayOptions& options, const replay::VenueDay& day,
                             std::size_t index) {
    const VenueInstrument& of = day.figures().instruments()[index];
    const InstrumentStatistics& recorded = day.books().observer().instruments()[index];
    ordered_json object{{"symbol", of.symbol},
                        {"trades", of.trades()},
                        {"volume", of.volume()},
                        {"auctions", of.auctions_held},
                        {"auction_trades", of.auctions.trades},
                        {"auction_volume", of.auctions.volume},
                        {"interruptions", of.interruptions},
                        {"prices", prices_json(of)},
                        {"spread", spread_json(of.spread)},
                        {"open_seconds", static_cast<double>(of.open.total_ns()) / 1e9},
                        {"resting", orders_json(of.resting)},
                        {"incoming", orders_json(of.incoming)},
                        {"rejected", rejected_json(of)}};
    const InstrumentId id{static_cast<std::uint32_t>(index + 1)};
    if (const InstrumentState* const in = day.engine().instrument(id)) {
        object["phase"] = name(in->phase);
        object["bids"] = book_json(options, day.engine(), *in, Side::buy);
        object["asks"] = book_json(options, day.engine(), *in, Side::sell);
    }
    object["recorded"] = {{"trades", recorded.traded.trades()},
                          {"volume", recorded.traded.volume()},
                          {"crosses", recorded.traded.crosses.trades},
                          {"cross_volume", recorded.traded.crosses.volume},
                          {"spread", spread_json(recorded.spread)}};
    return object;
}

// Those that the recording names and that had a message, the busiest first.
std::vector<std::size_t> instruments_of(const replay::VenueDay& day) {
    std::vector<std::size_t> all = busiest_first(day.books().observer());
    std::erase_if(all, [&](std::size_t i) { return i >= day.figures().instruments().size(); });
    return all;
}

ordered_json venue_json(const ReplayOptions& options, const replay::VenueDay& day) {
    ordered_json object{{"venue", day.venue().name},
                        {"commands", day.figures().commands()},
                        {"orders_gone", day.figures().gone()},
                        {"trades_left_out", day.figures().left_out()},
                        {"instruments", ordered_json::array()}};
    for (const std::size_t index : instruments_of(day))
        object["instruments"].push_back(instrument_json(options, day, index));
    return object;
}

// A row of the table: from the recording, if it has such a figure, and from each venue.
struct Row {
    std::string_view what;
    std::function<std::string(const InstrumentStatistics&)> recorded;
    std::function<std::string(const VenueInstrument&)> venue;
};

std::string text(std::uint64_t number) { return grouped(static_cast<std::int64_t>(number)); }
std::string price_of(const std::optional<double>& units) {
    return units ? fmt::format("{:.4f}", *units / 10'000) : "-";
}
std::string percent(const EnteredOrders& of) {
    const auto filled = share(of.filled_quantity, of.quantity);
    return filled ? fmt::format("{:.2f}%", *filled * 100) : "-";
}
std::optional<double> mean(const replay::SpreadStatistics& of) {
    const auto found = of.summary();
    return found ? std::optional{found->mean} : std::nullopt;
}
std::optional<double> median(const replay::SpreadStatistics& of) {
    const auto found = of.summary();
    return found ? std::optional{found->median} : std::nullopt;
}

const std::vector<Row>& rows() {
    using Recorded = const InstrumentStatistics&;
    using Venue = const VenueInstrument&;
    static const std::vector<Row> k_rows{
        {"trades", [](Recorded r) { return text(r.traded.trades()); },
         [](Venue v) { return text(v.trades()); }},
        {"volume", [](Recorded r) { return text(r.traded.volume()); },
         [](Venue v) { return text(v.volume()); }},
        {"auctions with a price", {}, [](Venue v) { return text(v.auctions_held); }},
        {"volume of auctions", [](Recorded r) { return text(r.traded.crosses.volume); },
         [](Venue v) { return text(v.auctions.volume); }},
        {"calls that a price began", {}, [](Venue v) { return text(v.interruptions); }},
        {"average price", {}, [](Venue v) { return price_of(v.average_price()); }},
        {"spread, mean", [](Recorded r) { return price_of(mean(r.spread)); },
         [](Venue v) { return price_of(mean(v.spread)); }},
        {"spread, median", [](Recorded r) { return price_of(median(r.spread)); },
         [](Venue v) { return price_of(median(v.spread)); }},
        {"displayed orders", [](Recorded r) { return text(r.orders()); },
         [](Venue v) { return text(v.resting.orders); }},
        {"  of their quantity filled", {}, [](Venue v) { return percent(v.resting); }},
        {"orders that executed others", {}, [](Venue v) { return text(v.incoming.orders); }},
        {"  of their quantity filled", {}, [](Venue v) { return percent(v.incoming); }},
        {"rejected", {}, [](Venue v) {
             std::uint64_t all = 0;
             for (const std::uint64_t one : v.rejected) all += one;
             return text(all);
         }}};
    return k_rows;
}

void print_instrument(std::span<const VenueResult> results, std::size_t index) {
    const auto& recorded = results.front().day->books().observer().instruments()[index];
    fmt::print("\n{:<29} {:>14}", recorded.symbol, "recorded");
    for (const VenueResult& one : results) fmt::print(" {:>14}", one.day->venue().name);
    fmt::print("\n");
    for (const Row& row : rows()) {
        fmt::print("{:<29} {:>14}", row.what, row.recorded ? row.recorded(recorded) : "");
        for (const VenueResult& one : results)
            fmt::print(" {:>14}", row.venue(one.day->figures().instruments()[index]));
        fmt::print("\n");
    }
}

}  // namespace

ordered_json to_json(const ReplayOptions& options, std::span<const VenueResult> results) {
    const VenueResult& first = results.front();
    ordered_json object{{"file", options.file.string()},
                        {"format", names_of(first.format).name},
                        {"mode", "venue"},
                        {"complete", first.reading.whole}};
    if (!first.reading.error.empty()) object["error"] = first.reading.error;
    if (!first.reading.notes.empty()) object["notes"] = first.reading.notes;
    if (first.reading.changes) add_changes(object, *first.reading.changes);
    object["messages"] = first.reading.messages;
    object["anomalies"] = first.day->books().anomalies().total();
    if (results.size() == 1) {
        object.update(venue_json(options, *first.day));
        return object;
    }
    object["venues"] = ordered_json::array();
    for (const VenueResult& one : results)
        object["venues"].push_back(venue_json(options, *one.day));
    return object;
}

void print_tables(const ReplayOptions& options, std::span<const VenueResult> results) {
    const VenueResult& first = results.front();
    const auto instruments = instruments_of(*first.day);
    fmt::print(
        "{}\n{} by the rules of {}: {} of {}\n",
        options.file == "-" ? "standard input" : options.file.filename().string(),
        names_of(first.format).noun,
        results.size() == 1 ? first.day->venue().name : fmt::format("{} venues", results.size()),
        counted(static_cast<std::int64_t>(first.reading.messages), "message"),
        counted(static_cast<std::int64_t>(instruments.size()), "instrument"));
    for (const std::string& note : first.reading.notes) fmt::print("note: {}\n", note);
    const auto shown = std::min(instruments.size(), static_cast<std::size_t>(options.top));
    for (std::size_t i = 0; i < shown; ++i) print_instrument(results, instruments[i]);
    if (shown < instruments.size())
        fmt::print("\nand {} more: --top N, --json\n", instruments.size() - shown);
    if (const auto anomalies = first.day->books().anomalies().total(); anomalies != 0)
        fmt::print("\n{} in the recording: damrak replay without --venue lists them\n",
                   counted(static_cast<std::int64_t>(anomalies), "contradiction"));
}

}  // namespace damrak::app
